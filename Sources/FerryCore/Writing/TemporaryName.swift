package import Foundation

/// Names for what is not complete yet: `.ferry-`, a UUID or 16 hexadecimal digits, `.tmp`.
///
/// A UUID may say which process writes, or for which work: see ``TemporaryWriter`` and ``TemporaryOwner``. Digits say
/// nothing.
package enum TemporaryName {
    /// Makes a name that nobody else has.
    ///
    /// - Parameters:
    ///   - id: The UUID in it; by default it says whose the name is.
    ///   - isHidden: `false` for a name without the dot.
    /// - Returns: The name: ASCII letters, digits, dots and hyphens, 47 at most.
    package static func make(_ id: UUID = TemporaryOwner.uuid(), isHidden: Bool = true) -> String {
        "\(isHidden ? "." : "")ferry-\(id.uuidString.lowercased()).tmp"
    }

    /// Makes a name from digits.
    ///
    /// - Parameter digits: 16 hexadecimal digits.
    /// - Returns: The name.
    package static func make(digits: String) -> String { ".ferry-\(digits).tmp" }

    /// Makes a path that nobody else has, and that says whose it is.
    ///
    /// - Parameter path: The final path.
    /// - Returns: A path in the same folder.
    package static func make(beside path: ItemPath) -> ItemPath { path.parent.appending(make()) }

    /// Returns whether a text is such a name, and leads nowhere else.
    ///
    /// - Parameter name: Any text.
    /// - Returns: `true` if it may have been made here.
    package static func isOne(_ name: String) -> Bool {
        guard let middle = middle(of: name) else { return false }
        return middle.utf8.count == 16 && middle.allSatisfy(\.isHexDigit) || UUID(uuidString: String(middle)) != nil
    }

    /// Returns the part of a name that tells it from others.
    ///
    /// - Parameter name: Any text.
    /// - Returns: The text between `ferry-` and `.tmp`; `nil` for another name.
    package static func middle(of name: String) -> Substring? {
        guard name.hasSuffix(".tmp") else { return nil }
        let rest = name.hasPrefix(".") ? name.dropFirst() : name[...]
        return rest.hasPrefix("ferry-") ? rest.dropFirst(6).dropLast(4) : nil
    }
}
