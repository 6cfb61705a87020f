import FerryCore
import Foundation

/// Writes items for people: a name a line, or with mode, size and date before it.
struct ListingStyle {
    /// Indicates whether mode, size, date and links' targets are shown.
    var isLong = false

    /// Indicates whether sizes are shown as `4.0K` instead of bytes.
    var hasShortSizes = false

    /// Colours.
    let styling: Styling

    /// Writes items, one a line, sizes aligned.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - name: How an item is called; its name when `nil`.
    ///   - indent: The text that each line begins with.
    ///   - sink: Where the lines go.
    ///   - destination: Returns what a link points to.
    /// - Throws: Any error that writing throws.
    func write(
        _ items: [FileObject],
        as name: String? = nil,
        indent: StaticString = "",
        to sink: ByteSink,
        destination: (FileObject) async throws -> String?
    ) async throws {
        let sizes = isLong ? items.map(sizeText) : []
        let width = sizes.reduce(1) { max($0, $1.utf8.count) }
        let knowsPermissions = items.contains { $0.permissions != nil }
        for (index, item) in items.enumerated() {
            sink.write(indent)
            if isLong {
                sink.write(knowsPermissions ? Self.mode(of: item) : Self.letter(of: item))
                sink.write(String(repeating: " ", count: width + 1 - sizes[index].utf8.count) + sizes[index])
                sink.write("  " + Self.dateText(item.modifiedDate) + "  ")
            }
            sink.write(nameOf: item, as: name, styling: styling)
            if isLong, item.isSymbolicLink, let target = try await destination(item) {
                sink.write(" -> ")
                sink.write(name: target)
            }
            try sink.endLine()
        }
    }

    private func sizeText(_ item: FileObject) -> String {
        guard let size = item.size else { return "-" }
        return hasShortSizes ? Quantity.short(bytes: size) : String(size)
    }

    /// Type and permissions, as `drwxr-xr-x`; `?` where the storage does not say.
    static func mode(of item: FileObject) -> String {
        let type = letter(of: item)
        guard let bits = item.permissions ?? (item.isSymbolicLink ? 0o777 : nil) else { return type + "?????????" }
        var letters = Array("rwxrwxrwx")
        for index in 0..<9 where bits & (0o400 >> index) == 0 { letters[index] = "-" }
        for (bit, index, letter) in [(0o4000, 2, "s"), (0o2000, 5, "s"), (0o1000, 8, "t")] as [(UInt16, Int, String)]
        where bits & bit != 0 {
            letters[index] = Character(letters[index] == "-" ? letter.uppercased() : letter)
        }
        return type + String(letters)
    }

    private static func letter(of item: FileObject) -> String {
        switch item.type {
        case .file: "-"
        case .directory: "d"
        case .symlink: "l"
        case .other: "?"
        }
    }

    /// A date in the time of the place where we are: `2026-01-31 09:30`.
    static func dateText(_ date: Date?) -> String {
        guard let date, abs(date.timeIntervalSince1970) < 1e14 else { return "               -" }
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "               -" }
        let day = "\(Int(parts.tm_year) + 1900)-\(Quantity.padded(parts.tm_mon + 1))-\(Quantity.padded(parts.tm_mday))"
        return "\(day) \(Quantity.padded(parts.tm_hour)):\(Quantity.padded(parts.tm_min))"
    }
}

extension FileProviderBasic {
    /// Returns what a link points to: from the listing if it tells, else asked for.
    func linkTarget(of item: FileObject) async throws -> String? {
        if let target = item.extras[.linkDestination] { return target }
        return try await (self as? any FileProviderSymbolicLink)?.destination(ofSymbolicLink: item.path)
    }
}
