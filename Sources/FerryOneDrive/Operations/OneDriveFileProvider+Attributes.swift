public import FerryCore
import FerryHTTP
public import Foundation

extension OneDriveFileProvider: FileProviderItemAttributes {
    /// Dates of files.
    public var settableAttributes: ItemAttributes.Kinds { [.fileDates, .folderDates] }

    /// Sets the modified date of an item.
    ///
    /// - Parameters:
    ///   - attributes: The attributes to set; all but the date are left out.
    ///   - path: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`; `.featureUnsupported` for a date that the service
    ///   can't have, or for other attributes, once the date is set.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        try Task.checkCancellation()
        var isComplete = attributes.permissions == nil && attributes.extendedAttributes.isEmpty
        if let date = attributes.modifiedDate {
            if let text = OneDriveDate.text(date) {
                try await mappingRefusals(whileWriting: true) {
                    try await atPlace(of: path) { place in
                        _ = try await connection.call(
                            .patch,
                            place.address.route(),
                            ["fileSystemInfo": ["lastModifiedDateTime": .text(text)]],
                            about: path,
                            isIdempotent: true
                        )
                    }
                }
            } else {
                isComplete = false
            }
        }
        guard isComplete else { throw CocoaError.unsupported("setting these attributes", path: path) }
    }

    /// Returns no extended attributes: the service has none.
    ///
    /// - Parameter path: An item.
    /// - Returns: Nothing.
    /// - Throws: Nothing.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] { [:] }
}
