import Dispatch
import Testing

/// Runs the tests, all of which are Swift Testing's.
///
/// SwiftPM would otherwise look for XCTest's in an index of the whole build, which costs more than it finds.
///
/// `main` isn't `async`: an optimizing compiler gives the asynchronous `main` of each module the same weak symbol, and
/// the linker would take that of a program which the tests import.
@main
struct TestEntryPoint {
    static func main() {
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
