public import FerryCore
public import Foundation

extension MemoryFileProvider: FileProviderItemAttributes {
    /// Dates; memory has neither permissions nor extended attributes.
    public var settableAttributes: ItemAttributes.Kinds { [.fileDates, .folderDates] }

    /// Sets the date.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        guard let date = attributes.modifiedDate else { return }
        try change { tree, _ in try tree.setModifiedDate(date, of: path) }
    }

    /// None.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] {
        try read { tree in
            _ = try tree.find(path)
            return [:]
        }
    }
}
