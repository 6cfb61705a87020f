/// The names that the service takes.
///
/// Vendor pages: "Restrictions and limitations in OneDrive and SharePoint", "Address resources in a drive".
enum GraphName {
    private static let maximumName = 255
    private static let maximumPath = 400
    private static let disallowed = Set("\"*:<>?/\\|".unicodeScalars)
    private static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul", ".lock", "desktop.ini"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] }
    )

    /// Checks a name that an item is to have.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - drive: The drive; those of organisations refuse more.
    /// - Throws: A refusal with status 400.
    static func check(_ name: String, in drive: GraphDrive) throws(GraphRefusal) {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else {
            throw .invalid("The name can't be empty.", inner: "invalidName")
        }
        guard !scalars.contains(where: { disallowed.contains($0) || $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .invalid("The name has characters that aren't allowed.", inner: "invalidName")
        }
        guard first != " ", last != " ", last != "." else {
            throw .invalid("The name can't begin or end with a space, or end with a period.", inner: "invalidName")
        }
        guard name.utf16.count <= maximumName else { throw .invalid("The name is too long.", inner: "invalidName") }
        guard !drive.isPersonal else { return }
        let lowercase = name.lowercased()
        guard !name.hasPrefix("~$"), !lowercase.contains("_vti_"), !reserved.contains(lowercase) else {
            throw .invalid("The name is reserved.", inner: "invalidName")
        }
    }

    /// Checks the length of a path.
    ///
    /// - Parameter path: The names from the root down.
    /// - Throws: A refusal with status 400.
    static func check(path: [String]) throws(GraphRefusal) {
        guard path.reduce(0, { $0 + $1.utf16.count + 1 }) <= maximumPath else {
            throw .invalid("The path is too long.", inner: "pathIsTooLong")
        }
    }
}

extension CloudTree {
    /// Returns a name that is free in a folder, as the service chooses it: "name 1.ext", and so on.
    func numberedName(_ name: String, in folder: CloudItem.ID, isFolder: Bool) -> String {
        var (stem, suffix) = (name, "")
        if !isFolder, let dot = name.lastIndex(of: "."), dot != name.startIndex {
            (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
        }
        var number = 1
        while child(of: folder, named: "\(stem) \(number)\(suffix)") != nil { number += 1 }
        return "\(stem) \(number)\(suffix)"
    }
}
