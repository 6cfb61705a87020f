import FerryCore
import Foundation

/// Names as the service takes them: those that it refuses are encoded reversibly, as rclone does it.
///
/// See <https://support.microsoft.com/office/64883a5d-228e-48f5-b3d2-eb39e07630fa>.
enum OneDriveName {
    private static let forbidden = "\"*:<>?/\\|"

    /// The names that only drives of organizations refuse.
    private static let reserved =
        ["con", "prn", "aux", "nul", ".lock", "desktop.ini"] + (0...9).flatMap { ["com\($0)", "lpt\($0)"] }

    /// The encodings of names that begin otherwise, and of those that begin with `~$`, in personal drives.
    private static let personal = (plain: encoding(leading: " "), owner: encoding(leading: " ~"))

    /// The encodings of names that begin otherwise, and of those that begin with `~$`, in drives of organizations.
    private static let business = (
        plain: encoding(leading: " ", reserving: reserved), owner: encoding(leading: " ~", reserving: reserved)
    )

    private static func encoding(leading: String, reserving names: [String] = []) -> NameEncoding {
        NameEncoding(
            forbidding: forbidden,
            controls: true,
            leading: leading,
            trailing: " .",
            reserving: [".", ".."] + names,
            reservesStems: false
        )
    }

    /// Returns a name as the service takes it.
    ///
    /// - Parameters:
    ///   - name: Any name.
    ///   - type: The type of the drive; `nil` if it is not known.
    /// - Returns: The name to send.
    static func encode(_ name: String, in type: OneDriveDriveType?) -> String {
        encoding(of: name, in: type).encode(name)
    }

    /// Returns the name to show for a name of the service.
    ///
    /// - Parameters:
    ///   - name: The name as the service has it.
    ///   - type: The type of the drive; `nil` if it is not known.
    /// - Returns: The name.
    static func decode(_ name: String, in type: OneDriveDriveType?) -> String {
        encoding(of: name, in: type).decode(name)
    }

    /// The UTF-16 code units that a name, and the path of an item, can have.
    private static let limits = (name: 255, path: 400)

    /// Returns the limit of the service that a path is beyond, in words.
    ///
    /// - Parameter path: The path.
    /// - Returns: The words; `nil` for a path that is not too long.
    static func excess(of path: ItemPath) -> String? {
        let longest = path.components.max { $0.utf16.count < $1.utf16.count } ?? ""
        if longest.utf16.count > limits.name {
            return "the name has \(length(of: longest)), and OneDrive takes \(limits.name) at most"
        }
        // The service counts what is above the drive's top too, so that a path may be refused that is a little shorter.
        let names = path.string.dropFirst()
        guard names.utf16.count > limits.path else { return nil }
        return "the path has \(length(of: names)), and OneDrive takes \(limits.path) at most"
    }

    /// Returns the length that the service counts, in words: some characters count as two or more.
    private static func length(of text: some StringProtocol) -> String {
        "\(text.utf16.count) \(text.count == text.utf16.count ? "characters" : "UTF-16 code units")"
    }

    /// Returns whether the encoding of a name depends on the type of the drive.
    ///
    /// - Parameter name: Any name.
    /// - Returns: `true` for a name that only drives of organizations refuse.
    static func dependsOnDrive(_ name: String) -> Bool {
        guard name.utf8.count <= 64 else { return false }
        return personal.plain.encode(name) != business.plain.encode(name)
    }

    private static func encoding(of name: String, in type: OneDriveDriveType?) -> NameEncoding {
        let encodings = type.map { $0 == .personal } ?? true ? personal : business
        // The names of Office's own files, which the service refuses; other names may begin with a tilde.
        let start = name.unicodeScalars.drop { $0 == "\u{201B}" }.prefix(2)
        let isOwner = start.last == "$" && (start.first == "~" || start.first == "\u{FF5E}")
        return isOwner ? encodings.owner : encodings.plain
    }

    /// Returns the path by which the same item is known in any spelling: the service takes `a` and `A` for one.
    ///
    /// - Parameter path: The path.
    /// - Returns: The path in lower case, composed.
    static func key(_ path: ItemPath) -> ItemPath {
        guard !path.beginsWithIdentifier, path.string.utf8.contains(where: { $0 >= 0x80 || (0x41...0x5A).contains($0) })
        else {
            return path
        }
        return ItemPath(path.string.precomposedStringWithCanonicalMapping.lowercased()) ?? path
    }
}
