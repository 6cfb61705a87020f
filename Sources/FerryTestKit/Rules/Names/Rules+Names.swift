import FerryCore
import Foundation

extension ConformanceCheck {
    /// A name is data: whatever is in it comes back as it was.
    static let names: [ConformanceCheck] =
        AwkwardName.all.map(fileNamed) + AwkwardName.all.map(folderNamed) + pathNames + namePairs

    private static func fileNamed(_ awkward: AwkwardName) -> ConformanceCheck {
        Self(
            ID(rawValue: "names.file-\(awkward.slug)"),
            "a file's name (\(awkward.kind)) survives creating, listing, reading, renaming, copying and removing",
            needs: .writing
        ) { trial in
            let files = try trial.files
            let path = trial.root.appending(awkward.name)
            if await trial.refusesName(awkward.name, { try await files.writeContents(path: path, contents: Data()) }) {
                return try await trial.expectTree([:])
            }
            try await files.writeContents(path: path, contents: Data(file: "one"))
            try await trial.expectOnly(awkward.name, .file)
            try await trial.expectContents(of: path, "one")
            try await files.moveItem(path: path, to: trial["plain"])
            try await trial.expectOnly("plain", .file)
            await trial.expectNothing(at: path)
            try await files.copyItem(path: trial["plain"], to: path)
            try await files.removeItem(path: trial["plain"])
            try await trial.expectOnly(awkward.name, .file)
            try await files.moveItem(path: path, to: trial["plain"])
            try await files.moveItem(path: trial["plain"], to: path)
            try await trial.expectContents(of: path, "one")
            try await files.removeItem(path: path)
            await trial.expectNothing(at: path)
            try await trial.expectTree([:])
        }
    }

    private static func folderNamed(_ awkward: AwkwardName) -> ConformanceCheck {
        Self(
            ID(rawValue: "names.folder-\(awkward.slug)"),
            "a folder's name (\(awkward.kind)) survives creating, listing, filling, renaming, copying and removing",
            needs: .writing
        ) { trial in
            let files = try trial.files
            let path = trial.root.appending(awkward.name)
            if await trial.refusesName(awkward.name, { try await files.create(folder: awkward.name, at: trial.root) }) {
                return try await trial.expectTree([:])
            }
            try await files.create(folder: awkward.name, at: trial.root)
            try await files.writeContents(path: path.appending("in.txt"), contents: Data(file: "in"))
            try await trial.expectOnly(awkward.name, .directory)
            let names = try await files.contentsOfDirectory(path: path).map(\.path)
            trial.expectEqual(names, [path.appending("in.txt")], "paths in the folder")
            try await files.moveItem(path: path, to: trial["plain"])
            try await trial.expectTree(["plain/in.txt": "in"])
            try await files.copyItem(path: trial["plain"], to: path)
            try await files.removeItem(path: trial["plain"])
            try await trial.expectOnly(awkward.name, .directory)
            try await trial.expectContents(of: path.appending("in.txt"), "in")
            try await files.removeItem(path: path)
            try await trial.expectTree([:])
        }
    }

    // MARK: Names that are no path components

    private static let pathNames: [ConformanceCheck] = ["a/b", "/", ".", "..", "nul\0nul"].map { name in
        Self(
            ID(rawValue: "names.not-a-component-\(name.debugDescription)"),
            "the name \(name.debugDescription) is kept as it is, or refused; it never leads elsewhere",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.plant(["inner/a.txt": "a"])
            let path = trial["inner"].appending(name)
            do {
                try await files.writeContents(path: path, contents: Data(file: "x"))
            } catch let error as CocoaError where error.code == .fileWriteInvalidFileName {
                return try await trial.expectTree(["inner/a.txt": "a"])
            }
            let names = try await files.contentsOfDirectory(path: trial["inner"]).map(\.name).sorted()
            trial.expectEqual(names, ["a.txt", name].sorted(), "names in the folder")
            try await trial.expectContents(of: path, "x")
            trial.expectEqual(try await files.attributesOfItem(path: path).path, path, "the item's path")
            try await files.removeItem(path: path)
            try await trial.expectTree(["inner/a.txt": "a"])
        }
    }

    // MARK: Two names

    private static let namePairs: [ConformanceCheck] = [
        Self(
            "names.normalization-forms",
            "composed and decomposed letters are two names, side by side",
            needs: .writing + [.can(\.distinguishesNormalizationForms, "both forms of a letter")]
        ) { trial in
            try await trial.expectTwoNames("caf\u{E9}", "cafe\u{301}")
        },
        Self(
            "names.one-normalization-form",
            "composed and decomposed letters are one name where the storage says so",
            needs: .writing + [.cannot(\.distinguishesNormalizationForms, "one form for a letter")]
        ) { trial in
            try await trial.expectOneName("caf\u{E9}", "cafe\u{301}")
        },
        Self(
            "names.case",
            "upper and lower case are two names, side by side",
            needs: .writing + [.can(\.isCaseSensitive, "case-sensitive names")]
        ) { trial in
            try await trial.expectTwoNames("Report.txt", "report.txt")
        },
        Self(
            "names.one-case",
            "upper and lower case are one name where the storage says so",
            needs: .writing + [.cannot(\.isCaseSensitive, "case-insensitive names")]
        ) { trial in
            try await trial.expectOneName("Report.txt", "report.txt")
        },
        Self("names.change-case", "a rename can change nothing but the case", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant(["report.txt": "x"])
            try await files.moveItem(path: trial["report.txt"], to: trial["REPORT.txt"])
            try await trial.expectOnly("REPORT.txt", .file)
            try await trial.expectContents(of: trial["REPORT.txt"], "x")
        },
        Self("names.escape-is-data", "a name that looks like the escape of another is not that other", needs: .writing)
        {
            trial in
            try await trial.expectTwoNames("a b", "a%20b")
        },
        Self("names.deep", "a path of thirty folders works like any other", needs: .writing) { trial in
            let files = try trial.files
            var folder = trial.root
            for number in 0..<30 {
                try await files.create(folder: "level \(number)", at: folder)
                folder = folder.appending("level \(number)")
            }
            try await files.writeContents(path: folder.appending("deep.txt"), contents: Data(file: "deep"))
            try await trial.expectContents(of: folder.appending("deep.txt"), "deep")
            let found = try await trial.search("/", recursive: true, .all)
            trial.expectEqual(found.count, 31, "items that a search meets")
        },
        Self("names.identifiers", "an item's identifier leads to it, also after a rename", needs: .writing + [.byID]) {
            trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a"])
            let before = try await files.attributesOfItem(path: trial["a.txt"])
            let path = ItemPath(identifier: try trial.require(before.id, "the item has no identifier"))
            try await trial.expectContents(of: path, "a")
            try await files.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            try await trial.expectContents(of: path, "a")
            trial.expectEqual(try await files.attributesOfItem(path: path).name, "b.txt", "the name")
            try await files.removeItem(path: trial["b.txt"])
            await trial.expectNothing(at: path)
        },
        Self("names.named-like-an-identifier", "an item named like an identifier is not taken for it", needs: .writing)
        {
            trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a"])
            guard let id = try await files.attributesOfItem(path: trial["a.txt"]).id else {
                throw NotApplicable("identifiers")
            }
            await trial.expectNothing(at: trial.root.appending("id:\(id)"))
        },
    ]
}

extension Trial {
    /// Returns whether the storage says that it can't have such a name; then the work must be refused.
    fileprivate func refusesName(
        _ name: String,
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Void
    ) async -> Bool {
        let capabilities = provider.capabilities
        let isForbidden = name.unicodeScalars.contains { capabilities.forbiddenCharacters.unicodeScalars.contains($0) }
        let isTooLong = capabilities.maximumNameLength.map { name.utf8.count > $0 } ?? false
        guard isForbidden || isTooLong else { return false }
        await expectRefusal(
            .fileWriteInvalidFileName,
            of: "making \(name.debugDescription)",
            filePath: filePath,
            line: line,
            body
        )
        return true
    }

    /// Notes a failure unless exactly one item is there, with this name, in the listing and by its path.
    fileprivate func expectOnly(
        _ name: String,
        _ type: FileObject.Kind,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let path = root.appending(name)
        let items = try await provider.contentsOfDirectory(path: root)
        let names = items.map(\.name)
        expect(
            names.count == 1 && isSameName(names[0], name),
            "the listing shows \(names), and should show \([name])",
            filePath: filePath,
            line: line
        )
        let item = try await provider.attributesOfItem(path: path)
        expect(
            isSameName(item.name, name),
            "attributes show the name \(item.name.debugDescription) for \(name.debugDescription)",
            filePath: filePath,
            line: line
        )
        expectEqual(item.type, type, "the kind", filePath: filePath, line: line)
        expectEqual(items.first?.type, type, "the listed kind", filePath: filePath, line: line)
        expect(
            isSameName(item.path.string, path.string) && isSameName(items.first?.path.string ?? "", path.string),
            "the paths are \(items.map(\.path)) and \(item.path), and should be \(path)",
            filePath: filePath,
            line: line
        )
    }

    /// Byte for byte, unless the storage says that it changes the form of letters.
    private func isSameName(_ first: String, _ second: String) -> Bool {
        provider.capabilities.distinguishesNormalizationForms
            ? first.utf8.elementsEqual(second.utf8) : first == second
    }

    fileprivate func expectTwoNames(_ first: String, _ second: String) async throws {
        let files = try files
        try await files.writeContents(path: root.appending(first), contents: Data(file: "first"))
        try await files.writeContents(path: root.appending(second), contents: Data(file: "second"))
        try await expectContents(of: root.appending(first), "first")
        try await expectContents(of: root.appending(second), "second")
        let paths = try await files.contentsOfDirectory(path: root).map(\.path)
        expectEqual(Set(paths), [root.appending(first), root.appending(second)], "the paths")
        try await files.removeItem(path: root.appending(first))
        try await expectContents(of: root.appending(second), "second")
        await expectNothing(at: root.appending(first))
    }

    fileprivate func expectOneName(_ first: String, _ second: String) async throws {
        let files = try files
        try await files.writeContents(path: root.appending(first), contents: Data(file: "first"))
        try await expectContents(of: root.appending(second), "first")
        await expectRefusal(.fileWriteFileExists, of: "writing under the other spelling") {
            try await files.writeContents(path: root.appending(second), contents: Data(file: "second"))
        }
        expectEqual(try await files.contentsOfDirectory(path: root).count, 1, "items")
        try await expectContents(of: root.appending(first), "first")
    }
}
