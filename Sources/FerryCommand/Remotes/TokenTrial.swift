import FerryCore
import Foundation

/// A request with a token that is to be stored, which shows whether the server accepts it.
struct TokenTrial {
    /// The time after which nobody waits for the server any more.
    private static let limit = Duration.seconds(20)

    /// The remote.
    let remote: Remote

    /// The storages of this run.
    let storages: Storages

    /// Lists the beginning of the remote's top folder.
    ///
    /// A token that has ended is renewed by it, as by any other request.
    ///
    /// - Parameter credentials: The store of the token, and of the one that it is renewed to.
    /// - Returns: The reason why nobody knows whether the token is good, such as a server that can't be reached; `nil` if
    ///   the server accepted it.
    /// - Throws: `URLError.userAuthenticationRequired` if the server refused it; `CancellationError`.
    func run(with credentials: any CredentialStore) async throws -> String? {
        let (opening, configuration) = (storages.opening(credentials), remote.configuration)
        do {
            return try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    let provider = try await StorageKind.open(configuration, opening)
                    for try await _ in provider.directoryListing(path: .root) { break }
                    return nil
                }
                group.addTask {
                    try await Task.sleep(for: Self.limit)
                    return "there was no answer in \(Self.limit.components.seconds) seconds"
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as URLError where error.code == .userAuthenticationRequired {
            throw URLError.answer(
                .userAuthenticationRequired,
                description: "\(remote.name): the server refused the token (\(error.reasonInWords))",
                suggestion: "give one that has not ended, or log in with 'ferry remote login \(remote.name)'",
                underlying: error
            )
        } catch let error where Session.isEnd(error) {
            throw error
        } catch {
            return error.reasonInWords
        }
    }
}
