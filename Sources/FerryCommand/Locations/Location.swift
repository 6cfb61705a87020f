import FerryCore
import Foundation

/// A storage that the command can work on.
typealias Storage = FileProvider & FileProviderReadWriteProgressive

/// An item that a person named: where it is, and what it was called.
struct Location: Sendable {
    /// The text that the person wrote, which is how messages name it.
    let text: String

    /// The storage that holds it.
    let storage: any Storage

    /// The storage's name with a colon, or the URL of a server's root; empty for this machine.
    let prefix: String

    /// Where it is on the storage.
    let path: ItemPath

    /// Indicates whether it was written with a slash, `.` or `..` at the end: then only a folder will do.
    let demandsFolder: Bool

    /// Indicates whether it is on this machine.
    var isLocal: Bool { prefix.isEmpty }

    /// Indicates whether it is on a storage at the other end of a line.
    var isRemote: Bool { storage.isRemote }

    /// Indicates whether it was written as a URL, in which `%` begins an escape.
    private var isAddress: Bool { prefix.contains("://") }

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - text: The text that the person wrote.
    ///   - storage: The storage that holds it.
    ///   - prefix: The storage's name with a colon, or the URL of a server's root; empty for this machine.
    ///   - path: Where it is on the storage.
    init(text: String, storage: any Storage, prefix: String, path: ItemPath) {
        self.text = text
        self.storage = storage
        self.prefix = prefix
        self.path = path
        let last = text.utf8.suffix(while: { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
        demandsFolder = last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8)
    }

    /// The same text for another place: where a link leads.
    func replacing(path: ItemPath) -> Location {
        Location(text: text, storage: storage, prefix: prefix, path: path)
    }

    /// The item called `name` in this folder.
    func appending(name: String) -> Location {
        let below = path.appending(name)
        return Location(text: display(below), storage: storage, prefix: prefix, path: below)
    }

    /// How a person would write an item's path: beginning with what they wrote themselves, if the item is below.
    ///
    /// - Parameter item: A path on this location's storage.
    /// - Returns: Text to show; bytes that are not UTF-8 are escaped.
    func display(_ item: ItemPath) -> String {
        guard let below = item.relative(to: path), !path.beginsWithIdentifier else {
            return displayAbove(item) ?? prefix + (isAddress ? WebAddress.escaped(item.string) : item.string)
        }
        if below.isRoot { return text }
        let rest = isAddress ? WebAddress.escaped(below.string.dropFirst()) : String(below.string.dropFirst())
        let needsSlash = text.utf8.last != UInt8(ascii: "/") && text.utf8.last != UInt8(ascii: ":")
        return text + (needsSlash ? "/" : "") + rest
    }

    /// How a person would write a folder above: what they wrote, without its last names.
    private func displayAbove(_ folder: ItemPath) -> String? {
        guard let rest = path.relative(to: folder)?.components, !rest.isEmpty else { return nil }
        var written = text.dropFirst(prefix.count)
        for name in rest.reversed() {
            while written.utf8.last == UInt8(ascii: "/") { written.removeLast() }
            guard written.utf8.elementsEqual(name.utf8) || written.utf8.hasSuffix("/", name) else { return nil }
            written = written.prefix(upTo: written.utf8.index(written.endIndex, offsetBy: -name.utf8.count))
        }
        while written.utf8.count > 1, written.utf8.last == UInt8(ascii: "/") { written.removeLast() }
        return prefix + (written.isEmpty && isLocal ? "." : written)
    }

    /// Does something with the item; errors about it name it in the person's own words.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws.
    func naming<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as CocoaError where error.userInfo[NSFilePathErrorKey] as? String == path.string {
            throw error.naming(text)
        }
    }

    /// Returns whether two locations are on the same storage.
    func isOnSameStorage(as other: Location) -> Bool { prefix == other.prefix }

    /// Returns the item's path, from the root where another place is on the same storage: there the paths must show
    /// whether one place is in the other, which an identifier doesn't.
    ///
    /// - Parameter other: The other place.
    /// - Returns: The path.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` for an identifier that leads to nothing.
    func path(beside other: Location) async throws -> ItemPath {
        isOnSameStorage(as: other) ? try await storage.pathFromRoot(path) : path
    }
}

extension Substring.UTF8View {
    /// Returns whether the text ends with two pieces, byte by byte.
    fileprivate func hasSuffix(_ first: String, _ second: Substring) -> Bool {
        suffix(first.utf8.count + second.utf8.count).elementsEqual((first + second).utf8)
    }
}

extension String.UTF8View {
    /// The end that fulfils a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> Substring.UTF8View {
        let start = lastIndex { !condition($0) }.map { index(after: $0) } ?? startIndex
        return self[start...]
    }
}

extension Location {
    /// The folder that is meant; a link to a folder is as good as the folder.
    ///
    /// - Returns: Where it is.
    /// - Throws: `CocoaError.notAFolder` if something else is there; `fileNoSuchFile`.
    func folder() async throws -> Location {
        let (place, item) = try await following()
        guard item.isDirectory else { throw CocoaError.notAFolder(path) }
        return try place.withoutLinksAbove()
    }

    /// The folder that is meant, or where it will be.
    ///
    /// - Throws: `CocoaError.notAFolder` if something else is there.
    func folderOrNothing() async throws -> Location {
        do {
            return try await folder()
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return try withoutLinksAbove()
        }
    }
}

extension Location {
    /// The storage as one that has an ability.
    ///
    /// - Parameters:
    ///   - type: The ability's protocol.
    ///   - words: The ability's name: `public links`.
    /// - Returns: The storage.
    /// - Throws: `CocoaError.featureUnsupported` where the storage lacks it.
    func ability<Ability>(_ type: Ability.Type, _ words: String) throws -> Ability {
        guard let able = storage as? Ability else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSFilePathErrorKey: text,
                    NSLocalizedFailureReasonErrorKey: "this storage has no \(words)",
                    NSLocalizedRecoverySuggestionErrorKey:
                        isRemote ? "see what it has with 'ferry remote test'" : "use another storage",
                ]
            )
        }
        return able
    }
}
