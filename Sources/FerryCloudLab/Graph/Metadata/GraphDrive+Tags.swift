import Foundation

extension GraphDrive {
    /// Returns the tag that changes with every change of an item.
    func eTag(of item: CloudItem) -> String {
        let text = "\(itemID(item.id)).\(item.revision)"
        guard isPersonal else { return "\"{\(itemID(item.id))},\(item.revision)\"" }
        return "a" + Data(text.utf8).base64EncodedString().replacing("=", with: "")
    }

    /// Returns the tag that changes with the contents of a file; `nil` for a folder.
    func cTag(of item: CloudItem) -> String? {
        guard let version = item.version else { return nil }
        let text = "\(itemID(item.id)).\(version.number)"
        guard isPersonal else { return "\"c:{\(itemID(item.id))},\(version.number)\"" }
        return "c" + Data(text.utf8).base64EncodedString().replacing("=", with: "")
    }

    /// Returns the tags by which a condition can name the state of an item.
    func tags(of item: CloudItem) -> [String] { [eTag(of: item)] + (cTag(of: item).map { [$0] } ?? []) }
}
