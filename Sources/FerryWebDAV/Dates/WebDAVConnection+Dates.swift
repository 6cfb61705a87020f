package import FerryCore
package import FerryHTTP
package import Foundation
import HTTPTypes

extension WebDAVConnection {
    /// The field of a `PUT` that asks for a date; Nextcloud stores the file and answers 500 for a day that is not one.
    ///
    /// - Parameter date: The date.
    /// - Returns: Whole seconds since 1970; `nil` for the first day of 1970 and all before it.
    package static func modifiedTime(_ date: Date) -> String? {
        let seconds = date.rounded(to: .seconds(1))
        return fieldDates.contains(seconds) ? String(Int64(seconds.timeIntervalSince1970)) : nil
    }

    /// The dates that a file can be given by a field of the `PUT`.
    package static let fieldDates = Date(timeIntervalSince1970: 86_401)...Date(timeIntervalSince1970: 1e11 - 1)

    /// Asks for a file's date by `PROPPATCH`; three of five servers report success and do nothing, so look at it then.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - path: The file.
    ///   - setting: Which property to set; nothing is sent for those that are none.
    /// - Returns: The server's refusal, if it refused.
    /// - Throws: Errors of the connection.
    package func setModifiedDate(
        _ date: Date,
        of path: ItemPath,
        by setting: WebDAVTraits.DateSetting
    ) async throws -> HTTPServerError? {
        guard let value = HTTPDate.format(date) else { return nil }
        let property: String
        switch setting {
        case .impossible, .field: return nil
        case .lastModified: property = "<D:getlastmodified>\(value)</D:getlastmodified>"
        case .win32: property = "<Z:Win32LastModifiedTime>\(value)</Z:Win32LastModifiedTime>"
        case .seconds:
            guard let seconds = Self.modifiedTime(date) else { return nil }
            property = "<D:lastmodified>\(seconds)</D:lastmodified>"
        }
        let body = """
            <?xml version="1.0" encoding="utf-8"?>
            <D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:">\
            <D:set><D:prop>\(property)</D:prop></D:set></D:propertyupdate>
            """
        var request = changeRequest(.proppatch, path, fields: [.contentType: "application/xml"])
        request.body = HTTPRequestBody(body)
        let reply = try await change(request, about: path)
        return try await failure(in: reply, path: path)
    }
}
