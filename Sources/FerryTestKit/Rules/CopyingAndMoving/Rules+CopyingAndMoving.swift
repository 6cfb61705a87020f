import FerryCore
import Foundation

extension ConformanceCheck {
    /// Copies are whole and independent, moves lose nothing.
    static let copyingAndMoving: [ConformanceCheck] = both + copies + moves

    private static let both: [ConformanceCheck] = Transfer.allCases.flatMap { transfer in
        [
            Self(
                ID(rawValue: "transfers.\(transfer)-onto-itself"),
                "a \(transfer) of an item onto itself is refused, whatever may be overwritten",
                needs: .writing
            ) { trial in
                try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
                for overwrite in [false, true] {
                    for path: ItemPath in ["a.txt", "folder"] {
                        await trial.expectRefusal(.fileWriteFileExists, of: "the \(transfer) of \(path)") {
                            try await transfer.perform(path, to: path, overwrite: overwrite, in: trial)
                        }
                    }
                }
                try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-into-child"),
                "a \(transfer) of a folder into itself throws fileWriteInvalidFileName",
                needs: .writing
            ) { trial in
                try await trial.plant(["folder/inner/a.txt": "a"])
                for target: ItemPath in ["folder/new", "folder/inner/new"] {
                    for overwrite in [false, true] {
                        await trial.expectRefusal(.fileWriteInvalidFileName, of: "the \(transfer) to \(target)") {
                            try await transfer.perform("folder", to: target, overwrite: overwrite, in: trial)
                        }
                    }
                }
                try await trial.expectTree(["folder/inner/a.txt": "a"])
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-beside"),
                "a \(transfer) to a name that begins like the folder's own is not a \(transfer) into itself",
                needs: .writing
            ) { trial in
                try await trial.plant(["folder/a.txt": "a", "folder2/b.txt": "b"])
                try await transfer.perform("folder", to: "folder2/folder", in: trial)
                try await trial.expectContents(of: trial["folder2/folder/a.txt"], "a")
                try await trial.expectContents(of: trial["folder2/b.txt"], "b")
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-to-missing-folder"),
                "a \(transfer) into a missing folder throws fileNoSuchFile, which names the folder",
                needs: .writing
            ) { trial in
                try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
                for path: ItemPath in ["a.txt", "folder"] {
                    await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "the \(transfer) of \(path)")
                    {
                        try await transfer.perform(path, to: "gone/new", in: trial)
                    }
                }
                try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-file"),
                "a \(transfer) of a file to another folder brings all of it there",
                needs: .writing
            ) { trial in
                let data = Trial.bytes(2 * DataChunks.chunkSize + 1)
                try await trial.plant("a.bin", data)
                try await trial.plant(["folder/": "", "folder/other": "x"])
                try await transfer.perform("a.bin", to: "folder/b.bin", in: trial)
                try await trial.expectContents(of: trial["folder/b.bin"], data)
                let names = try await trial.provider.contentsOfDirectory(path: trial.root).map(\.name).sorted()
                trial.expectEqual(names, transfer == .copy ? ["a.bin", "folder"] : ["folder"], "names")
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-empty-folder"),
                "a \(transfer) of an empty folder is a folder",
                needs: .writing + [.emptyFolders]
            ) { trial in
                try await trial.plant(["folder/": ""])
                try await transfer.perform("folder", to: "new", in: trial)
                try await trial.expectTree(transfer == .copy ? ["folder/": "", "new/": ""] : ["new/": ""])
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-tree"),
                "a \(transfer) of a folder brings all below it",
                needs: .writing
            ) { trial in
                try await trial.plant([
                    "from/a.txt": "a", "from/one/b.txt": "b", "from/one/two/c.txt": "c", "from/three/d.txt": "d",
                    "stays": "s",
                ])
                try await transfer.perform("from", to: "to", in: trial)
                let arrived: KeyValuePairs = [
                    "to/a.txt": "a", "to/one/b.txt": "b", "to/one/two/c.txt": "c", "to/three/d.txt": "d", "stays": "s",
                ]
                var expected = TreeContents(arrived)
                if transfer == .copy {
                    for (path, entry) in expected.entries {
                        expected.entries[path.replacing("/to", with: "/from")] = entry
                    }
                }
                for difference in try await trial.snapshot().differences(from: expected) { trial.fail(difference) }
                let search = try await trial.search("to", recursive: true, .all)
                trial.expectEqual(search.count, 7, "items that a search meets")
            },
            Self(
                ID(rawValue: "transfers.\(transfer)-root"),
                "a \(transfer) of the root is refused",
                needs: .writing
            ) { trial in
                try await trial.plant(["a.txt": "a"])
                await trial.expectRefusal(
                    .fileWriteInvalidFileName,
                    .fileWriteNoPermission,
                    of: "the \(transfer)"
                ) {
                    switch transfer {
                    case .copy: try await trial.files.copyItem(path: .root, to: trial["new"])
                    case .move: try await trial.files.moveItem(path: .root, to: trial["new"])
                    }
                }
                try await trial.expectTree(["a.txt": "a"])
            },
        ]
    }

    private static let copies: [ConformanceCheck] = [
        Self("transfers.copy-is-independent", "a copy and its source go their own ways", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            try await files.copyItem(path: trial["a.txt"], to: trial["copy.txt"])
            try await files.copyItem(path: trial["folder"], to: trial["folder copy"])
            try await files.writeContents(path: trial["a.txt"], contents: Data(file: "new a"), overwrite: true)
            try await files.writeContents(
                path: trial["folder copy/b.txt"],
                contents: Data(file: "new b"),
                overwrite: true
            )
            try await trial.expectTree([
                "a.txt": "new a", "copy.txt": "a", "folder/b.txt": "b", "folder copy/b.txt": "new b",
            ])
            try await files.removeItem(path: trial["folder"])
            try await trial.expectContents(of: trial["folder copy/b.txt"], "new b")
        },
        Self("transfers.copy-identifier", "a copy has an identifier of its own", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a"])
            try await files.copyItem(path: trial["a.txt"], to: trial["b.txt"])
            let ids = try await files.contentsOfDirectory(path: trial.root).map(\.id)
            if ids.contains(nil) { throw NotApplicable("identifiers") }
            trial.expectEqual(Set(ids).count, 2, "identifiers")
        },
    ]

    private static let moves: [ConformanceCheck] = [
        Self("transfers.rename", "a rename leaves nothing under the old name", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            try await Transfer.move.perform("a.txt", to: "c.txt", in: trial)
            try await Transfer.move.perform("folder", to: "other", in: trial)
            await trial.expectNothing(at: trial["a.txt"])
            await trial.expectNothing(at: trial["folder/b.txt"])
            try await trial.expectTree(["c.txt": "a", "other/b.txt": "b"])
        },
        Self("transfers.rename-and-back", "an item that is renamed and back is what it was", needs: .writing) { trial in
            try await trial.plant(["folder/b.txt": "b"])
            try await trial.expectNoChange {
                try await Transfer.move.perform("folder", to: "other", in: trial)
                try await Transfer.move.perform("other", to: "folder", in: trial)
            }
        },
        Self("transfers.swap", "two items can change their names by way of a third", needs: .writing) { trial in
            try await trial.plant(["a": "one", "b": "two"])
            try await Transfer.move.perform("a", to: "c", in: trial)
            try await Transfer.move.perform("b", to: "a", in: trial)
            try await Transfer.move.perform("c", to: "b", in: trial)
            try await trial.expectTree(["a": "two", "b": "one"])
        },
        Self("transfers.move-out-of-folder", "an item can move up out of its folder", needs: .writing) { trial in
            try await trial.plant(["folder/inner/a.txt": "a", "folder/b.txt": "b"])
            try await Transfer.move.perform("folder/inner", to: "inner", in: trial)
            try await trial.expectTree(["folder/b.txt": "b", "inner/a.txt": "a"])
        },
        Self("transfers.move-keeps-date", "a rename keeps the modified date", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a"])
            guard let before = try await trial.provider.attributesOfItem(path: trial["a.txt"]).modifiedDate else {
                throw NotApplicable("modified dates")
            }
            try await Transfer.move.perform("a.txt", to: "b.txt", in: trial)
            let after = try await trial.provider.attributesOfItem(path: trial["b.txt"]).modifiedDate
            trial.expectEqual(after, before, "the modified date")
        },
        Self("transfers.by-identifier", "an item can be moved and removed by its identifier", needs: .writing + [.byID])
        {
            trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let ids = try await files.contentsOfDirectory(path: trial.root).compactMap(\.id)
            trial.expectEqual(ids.count, 2, "identifiers")
            let first = try await files.attributesOfItem(path: trial["a.txt"])
            let path = ItemPath(identifier: try trial.require(first.id, "no identifier"))
            try await files.moveItem(path: path, to: trial["c.txt"])
            try await trial.expectTree(["b.txt": "b", "c.txt": "a"])
            try await files.removeItem(path: path)
            try await trial.expectTree(["b.txt": "b"])
        },
    ]
}

extension ConformanceNeed {
    static let byID = can(\.addressesByIdentifier, "paths by identifier")
}
