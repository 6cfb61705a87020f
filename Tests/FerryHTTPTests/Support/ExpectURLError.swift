import Foundation
import Testing

/// Expects a `URLError` of a code, whatever words are in it.
func expectURLError(
    _ code: URLError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> some Any
) async {
    let error = await #expect(throws: URLError.self, sourceLocation: sourceLocation) { _ = try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
