import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The place, the condition and the date with which a content becomes a file.
struct OneDriveCommit: Sendable, Hashable {
    /// The file.
    let path: ItemPath

    /// The address of the file: in its folder, whose identifier is known, or its own where it must be there.
    let address: GraphAddress

    /// The identifier of its drive where that is another one than the provider's.
    let foreignDriveID: String?

    /// The condition for replacing, and the date.
    let options: WriteOptions

    /// A Boolean value that indicates whether the file gets another name if its own is taken.
    var keepsBoth = false

    /// The fate of the file if its name is taken.
    var conflict: OneDriveConflict {
        if keepsBoth { return .rename }
        return options.overwrite || options.ifMatch != nil ? .replace : .fail
    }

    /// A Boolean value that indicates whether sending the same again does no harm.
    var isRepeatable: Bool { conflict == .replace && options.ifMatch == nil }

    /// The dates as the API takes them; `null` where none is to be set.
    var fileSystemInfo: JSONValue {
        guard let text = options.modifiedDate.flatMap({ OneDriveDate.text($0) }) else { return .null }
        return ["lastModifiedDateTime": .text(text)]
    }

    private var condition: HTTPFields {
        var fields = HTTPFields()
        fields[.ifMatch] = options.ifMatch
        return fields
    }

    /// Returns the request that writes a small file; its body is the content.
    ///
    /// - Parameter connection: The connection.
    /// - Returns: The request, without credentials and body.
    /// - Throws: `EncodingError`.
    func contentRequest(_ connection: GraphConnection) throws -> HTTPFileRequest {
        var fields = condition
        fields[.contentType] = "application/octet-stream"
        // By identifier there is nothing but to replace.
        let query = address.isByPath ? [(OneDriveConflict.name, conflict.rawValue)] : []
        return try connection.request(
            .put,
            address.route("/content", query),
            fields: fields,
            isIdempotent: isRepeatable
        )
    }

    /// Returns the request that begins an upload session.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - size: Bytes in all, where the service checks beforehand that there is space for them; else `nil`.
    /// - Returns: The request, without credentials.
    /// - Throws: `EncodingError`.
    func sessionRequest(_ connection: GraphConnection, size: Int64?) throws -> HTTPFileRequest {
        let item: JSONValue = [
            OneDriveConflict.name: .text(conflict.rawValue),
            "fileSystemInfo": fileSystemInfo,
            "fileSize": size.map { .integer($0) } ?? .null,
        ]
        // Sessions that nobody goes on with are forgotten by the service.
        return try connection.request(
            .post,
            address.route("/createUploadSession"),
            ["item": item],
            fields: condition,
            isIdempotent: true
        )
    }

    /// The error that callers see when the file can't be written.
    ///
    /// - Parameter error: The refusal.
    /// - Returns: An error of the table.
    func refusal(_ error: OneDriveError) -> any Error {
        if options.ifMatch != nil, [.noSuchItem, .exists, .changed].contains(error.reason) {
            return PreconditionFailedError(path: path, serverDescription: error.serverDescription)
        }
        return error.mapped(whileWriting: true, target: path)
    }
}

/// The fate of a new item whose name is taken.
///
/// See <https://learn.microsoft.com/graph/api/resources/driveitem#instance-attributes>.
enum OneDriveConflict: String, Sendable, Hashable {
    /// The request is refused.
    case fail
    /// The file that is there is replaced.
    case replace
    /// The new item gets another name, which the answer tells.
    case rename

    /// The name of the member, or of the query, that says it.
    static let name = "@microsoft.graph.conflictBehavior"
}
