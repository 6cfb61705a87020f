import FerryMediaWire
import Glibc

/// The program `ferry-media`: makes thumbnails and reads metadata, locked in, for a library that hands it the bytes.
@main
enum FerryMediaProgram {
    static func main() {
        // A library that is gone is noticed where we write to it.
        signal(SIGPIPE, SIG_IGN)
        // Libraries complain where they are told to be silent, and their complaints may go to a file.
        signal(SIGXFSZ, SIG_IGN)
        let isCheck = CommandLine.arguments.dropFirst() == ["--check"]
        guard CommandLine.arguments.count == 1 || isCheck else {
            say("Ferry starts it, and talks to it over its standard input and output. --check tries its sandbox.")
            exit(EX_USAGE)
        }
        let connection = Connection(input: STDIN_FILENO, output: STDOUT_FILENO)
        do {
            try Sandbox.limit()
            try Decoders.load()
            try Sandbox.enter()
            MemoryEnd.watch()
        } catch {
            say("\(error)")
            exit(ProgramEnding.unsafe.rawValue)
        }
        if isCheck { exit(SandboxCheck.run() ? EXIT_SUCCESS : EXIT_FAILURE) }
        do {
            try JobLoop(connection: connection).run()
        } catch {
            say("\(error)")
            exit(ProgramEnding.confused.rawValue)
        }
    }

    private static func say(_ words: String) {
        let line = Array("ferry-media: \(words)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
