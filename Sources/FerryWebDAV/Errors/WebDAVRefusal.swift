package import FerryCore
package import FerryHTTP
import Foundation

/// The item at a path.
package enum WebDAVItemState: Sendable {
    /// Nothing.
    case missing
    /// A folder.
    case folder
    /// Anything else.
    case file(FileObject)
    /// It can't be told, and why.
    case unknown(any Error)
}

/// A server's refusal to put something at a path: what it means to whom asked for it.
///
/// Servers answer 400, 403, 404, 405, 409, 415, 423 and 500 for one and the same reason, and the same status for different
/// ones. So the status is read only together with what stands there.
package struct WebDAVRefusal: Sendable {
    /// The condition of the request, beside the change itself.
    package enum Condition: Sendable, Hashable {
        /// Nothing.
        case none
        /// That nothing stands at the path yet.
        case absence
        /// That the item at the path is still what it was.
        case unchanged
    }

    /// The server's answer.
    package let answer: HTTPServerError

    /// The path that something was to be put at.
    package let path: ItemPath

    /// The condition of the request.
    package let condition: Condition

    /// Indicates whether anybody has to look before the refusal can be understood.
    package var needsLook: Bool {
        switch answer.statusCode {
        // 415: Sabre's word for a parent that is a file.
        case 400, 403, 404, 405, 409, 410, 415, 500: true
        case 423: condition == .absence
        default: false
        }
    }

    /// The error that the caller sees.
    ///
    /// - Parameters:
    ///   - parent: The item at the folder's path; `nil` if nobody looked.
    ///   - target: The item at the path itself; `nil` if nobody looked.
    /// - Returns: The error of the table.
    package func error(parent: WebDAVItemState?, target: WebDAVItemState?) -> any Error {
        if answer.statusCode == 412 {
            return condition == .absence
                ? CocoaError.itemExists(path, underlying: answer)
                : PreconditionFailedError(path: path, serverDescription: answer.serverDescription)
        }
        switch parent {
        case .missing: return CocoaError.noSuchItem(path.parent, underlying: answer)
        case .file: return CocoaError.notAFolder(path.parent, whileWriting: true)
        case .unknown(let error): return error
        case .folder, nil: break
        }
        switch (target, condition) {
        case (.folder, _), (.file, .absence): return CocoaError.itemExists(path, underlying: answer)
        default: break
        }
        if hasUnlikelyName, [400, 403, 404, 405, 409, 500].contains(answer.statusCode) {
            return CocoaError.file(.fileWriteInvalidFileName, path: path, underlying: answer)
        }
        // The folder is there: that the item is missing is no explanation.
        if answer.statusCode == 404 || answer.statusCode == 410 {
            return CocoaError.file(.fileWriteUnknown, path: path, underlying: answer)
        }
        return answer.mapped(whileWriting: true)
    }

    /// Indicates whether the name alone is reason enough to refuse.
    private var hasUnlikelyName: Bool {
        let bytes = NameEscape.bytes(ofName: path.lastComponent)
        return bytes.count > 255 || bytes.contains { $0 < 0x20 || $0 == 0x7F }
    }
}
