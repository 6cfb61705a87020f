import Testing

/// Runs the tests, all of which are Swift Testing's.
///
/// SwiftPM would otherwise look for XCTest's in an index of the whole build, which costs more than it finds.
@main
struct TestEntryPoint {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
