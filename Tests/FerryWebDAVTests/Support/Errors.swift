import FerryCore
import Foundation

extension Error {
    /// The server's answer in an error of the table, or the error itself if it is that.
    var serverAnswer: (any FileProviderHTTPError)? {
        self as? any FileProviderHTTPError
            ?? (self as NSError).userInfo[NSUnderlyingErrorKey] as? any FileProviderHTTPError
    }

    /// The status of the server's answer.
    var serverStatus: Int? { serverAnswer?.statusCode }

    /// The words that say what happened, without the item.
    var words: String { reasonInWords }

    /// The item that the error is about.
    var path: String? {
        (self as NSError).userInfo[NSFilePathErrorKey] as? String ?? (self as? any FileProviderHTTPError)?.path.string
    }
}

/// Returns what something throws; `nil` if it throws nothing.
func failure(of body: () async throws -> some Any) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
