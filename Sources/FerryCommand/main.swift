import ArgumentParser
import NIOPosix
print("x")
