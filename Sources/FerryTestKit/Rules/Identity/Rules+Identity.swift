import FerryCore
import Foundation

extension ConformanceCheck {
    /// Items can be told from each other, and from what they were, without their paths.
    static let identity: [ConformanceCheck] = [
        Self("identity.parent", "an item's parentID is its folder's identifier, also after a move", needs: .writing) {
            trial in
            let files = try trial.files
            try await trial.plant(["a/x.txt": "x", "b/": ""])
            let folders = try await files.contentsOfDirectory(path: trial.root)
            let ids = Dictionary(folders.map { ($0.name, $0.id) }) { $1 }
            let listed = try await files.contentsOfDirectory(path: trial["a"])
            guard listed.first?.parentID != nil else { throw NotApplicable("items that name their folders") }
            trial.expectEqual(listed.map(\.parentID), [ids["a"] ?? nil], "the parentID in the listing")
            let described = try await files.attributesOfItem(path: trial["a/x.txt"])
            trial.expectEqual(described.parentID, ids["a"] ?? nil, "the parentID")
            try await files.moveItem(path: trial["a/x.txt"], to: trial["b/x.txt"])
            let moved = try await files.attributesOfItem(path: trial["b/x.txt"])
            trial.expectEqual(moved.parentID, ids["b"] ?? nil, "the parentID after the move")
        },
        Self(
            "identity.metadata-version",
            "an item's metadata version changes with its name and with its content, and not by being read",
            needs: .writing
        ) {
            trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "one"])
            let listed = try await files.contentsOfDirectory(path: trial.root).first?.metadataVersion
            guard let first = listed else { throw NotApplicable("versions of metadata") }
            _ = try await files.contents(path: trial["a.txt"])
            let again = try await files.attributesOfItem(path: trial["a.txt"]).metadataVersion
            trial.expectEqual(again, first, "the version after a look")
            try await files.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            let renamed = try await files.attributesOfItem(path: trial["b.txt"]).metadataVersion
            trial.expect(renamed != nil && renamed != first, "the version after the rename is still \(first)")
            // As long as before, so that a size alone would not do.
            try await files.writeContents(path: trial["b.txt"], contents: Data(file: "two"), overwrite: true)
            let written = try await files.attributesOfItem(path: trial["b.txt"]).metadataVersion
            trial.expect(
                written != nil && written != renamed,
                "the version after the write is still \(renamed ?? "none")"
            )
        },
        Self(
            "identity.below",
            "what is in a folder is found, made, moved and removed below the folder's identifier, also after a rename",
            needs: .writing + [.byID]
        ) {
            trial in
            let files = try trial.files
            try await trial.plant(["folder/a.txt": "a", "folder/inner/b.txt": "b"])
            let id = try await files.attributesOfItem(path: trial["folder"]).id
            let folder = ItemPath(identifier: try trial.require(id, "the folder has no identifier"))
            try await files.moveItem(path: trial["folder"], to: trial["moved"])
            let item = try await files.attributesOfItem(path: folder.appending("a.txt"))
            trial.expectEqual(item.name, "a.txt", "the name")
            let inner = folder.appending("inner")
            trial.expectEqual(try await files.contentsOfDirectory(path: inner).map(\.name), ["b.txt"], "names")
            try await trial.expectContents(of: inner.appending("b.txt"), "b")
            await trial.expectNothing(at: folder.appending("gone.txt"))
            try await files.create(folder: "new", at: inner)
            try await files.writeContents(path: inner.appending("c.txt"), contents: Data(file: "c"))
            try await files.copyItem(path: inner.appending("c.txt"), to: folder.appending("c copy.txt"))
            try await files.moveItem(path: folder.appending("a.txt"), to: inner.appending("new").appending("a.txt"))
            try await files.removeItem(path: inner.appending("b.txt"))
            try await trial.expectTree([
                "moved/c copy.txt": "c", "moved/inner/c.txt": "c", "moved/inner/new/a.txt": "a",
            ])
        },
        Self(
            "identity.no-identifiers",
            "a path below an identifier leads to nothing where the storage has no paths by identifier",
            needs: [.cannot(\.addressesByIdentifier, "no paths by identifier")]
        ) {
            trial in
            try await trial.plant(["a.txt": "a"])
            let path = ItemPath(identifier: "ferry-123").appending(path: trial["a.txt"])
            await trial.expectRefusal(.featureUnsupported, .fileNoSuchFile, .fileReadInvalidFileName, of: "a look") {
                try await trial.provider.attributesOfItem(path: path)
            }
        },
    ]
}
