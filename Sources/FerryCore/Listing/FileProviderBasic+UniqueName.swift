import Foundation

extension FileProviderBasic {
    /// Finds a path that no item has: the wanted one, or the same with a number after its name: `/report 2.pdf`.
    ///
    /// Names are compared as the storage does (``FileProviderCapabilities/isCaseSensitive``). Somebody else can take the
    /// path before it is used; a write with `overwrite: false` then fails instead of replacing.
    ///
    /// - Parameter path: The wanted path. A number at the end of its name is counted on from.
    /// - Returns: The path, in the same folder and with the same extension.
    /// - Throws: As ``contentsOfDirectory(path:reporting:)`` of its folder.
    public func fileByUniqueName(_ path: ItemPath) async throws -> ItemPath {
        guard !path.isRoot, !path.isIdentifier else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "it has no name")
        }
        let isCaseSensitive = capabilities.isCaseSensitive
        let key = { (name: String) in isCaseSensitive ? name : name.lowercased() }
        var taken: Set<String> = []
        for try await page in directoryListing(path: path.parent) {
            taken.formUnion(page.map { key($0.path.lastName) })
        }
        var candidate = NumberedName(path.lastName)
        while taken.contains(key(candidate.text)) { candidate = candidate.next }
        return path.parent.appending(candidate.text)
    }
}

/// A name with a number between its stem and its extension.
private struct NumberedName {
    private let stem: String
    private let number: Int?
    private let ending: String

    /// Takes a name apart: `report 2.pdf` has the number 2, `report.pdf` and `report 2b.pdf` none.
    init(_ name: String) {
        let fileExtension = NameEscape.pathExtension(of: name)
        ending = fileExtension.isEmpty ? "" : "." + fileExtension
        let whole = String(name.dropLast(ending.count))
        let digits = String(whole.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        let before = whole.dropLast(digits.count)
        if let number = Int(digits), number < .max, String(number) == digits, before.last == " ", before.count > 1 {
            self.number = number
            stem = String(before.dropLast())
        } else {
            number = nil
            stem = whole
        }
    }

    private init(stem: String, number: Int, ending: String) {
        (self.stem, self.number, self.ending) = (stem, number, ending)
    }

    var text: String { stem + (number.map { " \($0)" } ?? "") + ending }

    var next: NumberedName { NumberedName(stem: stem, number: (number ?? 1) &+ 1, ending: ending) }
}
