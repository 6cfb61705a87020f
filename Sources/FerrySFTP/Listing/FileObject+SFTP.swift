import FerryCore
import Foundation

extension FileObject {
    /// An item as a server describes it.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: The folder that holds it.
    ///   - kind: The kind of item.
    ///   - attributes: The attributes from the server.
    init(name: String, in folder: ItemPath, _ kind: Kind, _ attributes: SFTPAttributes) {
        self.init(
            name: name,
            in: folder,
            type: kind,
            size: kind == .directory ? nil : attributes.size.map { Int64(clamping: $0) },
            modifiedDate: attributes.modifiedDate,
            permissions: attributes.permissions,
            contentType: kind == .file ? ContentType.ofFile(named: name) : nil
        )
        // Dates have whole seconds, of a clock that may be another than ours.
        isFresh = attributes.modifiedDate.map { $0.timeIntervalSinceNow > -3 } ?? false
    }

    /// An item at a path.
    init(path: ItemPath, _ kind: Kind, _ attributes: SFTPAttributes) {
        self.init(name: path.lastName, in: path.parent, kind, attributes)
    }
}
