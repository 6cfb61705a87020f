import FerryCore
import FerryTestServers

/// A place on a real server's disk, written and looked at behind the server's back: what is made belongs to the server.
final class PlaceFiles<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    private let place: FTPServerPlace

    init(_ base: Base, place: FTPServerPlace) {
        self.base = base
        self.place = place
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let result = try await body()
        guard call.method.changesStorage else { return result }
        place.own(String((call.target ?? call.path).string.dropFirst()))
        return result
    }
}

extension PlaceFiles: FileProviderOperations where Base: FileProviderOperations {}
extension PlaceFiles: FileProviderReadWrite where Base: FileProviderReadWrite {}
