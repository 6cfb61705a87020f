import FerryCloudLab
import FerryDropbox

/// Runs a test with a provider of a fresh account at an emulated Dropbox.
///
/// - Parameters:
///   - configure: Changes the choices of the lab.
///   - scopes: The permissions of the app; `nil` for all.
///   - body: The test.
/// - Throws: What the body throws; errors of starting the lab.
func withAccount(
    _ configure: (inout CloudLab.Options) -> Void = { _ in },
    scopes: Set<String>? = nil,
    perform body: (DropboxFileProvider, CloudLab) async throws -> Void
) async throws {
    var options = CloudLab.Options()
    configure(&options)
    try await withCloudLab(options) { lab in
        let token = scopes.map { lab.dropbox.makeAccessToken(scopes: $0) } ?? lab.dropbox.makeAccessToken()
        let provider = try DropboxStage.provider(of: lab, token: token)
        do {
            try await body(provider, lab)
            await provider.invalidate()
        } catch {
            await provider.invalidate()
            throw error
        }
    }
}
