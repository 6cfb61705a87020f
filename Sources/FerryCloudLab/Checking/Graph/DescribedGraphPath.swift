import Foundation

/// A path of Microsoft Graph in the form that the published description has: without colons and short ways.
///
/// The description knows items by their ids below `/drives/{id}` only. Paths inside a drive, the drives of users, groups
/// and sites, special folders and opened links lead to such items
/// (https://learn.microsoft.com/graph/onedrive-addressing-driveitems).
struct DescribedGraphPath: Sendable, Equatable {
    /// The segments behind the version, percent-decoded; `x` stands for what isn't known.
    private(set) var segments: [String]

    /// Brings a path into the described form; fails if it has another version, an empty segment, or an encoding that
    /// isn't UTF-8.
    ///
    /// - Parameter path: The path behind the base URL, percent-encoded: `/v1.0/me/drive/root:/a.txt:/content`.
    init?(_ path: String) {
        var parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard path.first == "/", parts.first == "v1.0" else { return nil }
        parts.removeFirst()
        parts = Self.withoutColons(parts)
        var decoded: [String] = []
        for part in parts {
            guard !part.isEmpty, let text = part.removingPercentEncoding else { return nil }
            decoded.append(text)
        }
        segments = Self.withoutShortWays(decoded)
    }

    private static func withoutColons(_ parts: [String]) -> [String] {
        var parts = parts
        // A site and an item inside it may both be addressed by path.
        while let start = parts.firstIndex(where: { $0.hasSuffix(":") }) {
            let end = parts[(start + 1)...].firstIndex { $0.hasSuffix(":") } ?? parts.count - 1
            let rest = end + 1 < parts.count ? Array(parts[(end + 1)...]) : []
            var head = Array(parts[..<start])
            let anchor = parts[start].dropLast()
            if head == ["sites"] {
                parts = ["sites", "x"] + rest
                continue
            }
            if head.last == "items" || head.last == "special" { head.removeLast() }
            if head.first == "shares" { head = ["drives", "x"] }
            let isRoot = anchor == "root" && parts.count == start + 1
            parts = head + (isRoot ? ["root"] : ["items", "x"]) + rest
        }
        return parts
    }

    private static func withoutShortWays(_ parts: [String]) -> [String] {
        var parts = parts
        if parts.starts(with: ["me", "drive"]) { parts = ["drives", "x"] + parts.dropFirst(2) }
        if parts == ["me", "drives"] { return ["users", "x", "drives"] }
        if parts.count >= 3, ["users", "groups", "sites"].contains(parts[0]) {
            if parts[2] == "drive", parts.count > 3 || parts[0] == "sites" {
                parts = ["drives", "x"] + parts.dropFirst(3)
            } else if parts[2] == "drives", parts.count > 3 {
                parts = ["drives"] + parts.dropFirst(3)
            } else if parts[0] == "sites", parts[2] == "drives" {
                return ["groups", parts[1], "drives"]
            }
        }
        let isContent = parts.count == 4 && parts[3] == "content"
        if parts.count > 3, parts[0] == "shares", ["driveItem", "root"].contains(parts[2]), !isContent {
            return ["drives", "x", "items", "x"] + parts.dropFirst(3)
        }
        if parts.count > 4, parts[0] == "drives", parts[2] == "special", parts[4...] != ["content"] {
            return ["drives", parts[1], "items", "x"] + parts.dropFirst(4)
        }
        return parts
    }
}
