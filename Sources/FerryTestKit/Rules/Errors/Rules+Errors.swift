import FerryCore
import Foundation

extension ConformanceCheck {
    /// The same situation gives the same error everywhere.
    static let errors: [ConformanceCheck] = missingErrors + kindErrors + namingErrors + preconditionErrors

    // MARK: No such item

    private static let missingErrors: [ConformanceCheck] = [
        Self("errors.attributes-missing", "attributes of a missing item throw fileNoSuchFile") { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "attributesOfItem") {
                try await trial.provider.attributesOfItem(path: trial["gone"])
            }
        },
        Self("errors.attributes-below-missing", "attributes below a missing folder throw fileNoSuchFile") { trial in
            await trial.expectRefusal(.fileNoSuchFile, of: "attributesOfItem") {
                try await trial.provider.attributesOfItem(path: trial["gone/deep/a.txt"])
            }
        },
        Self("errors.attributes-below-file", "there is no item below a file") { trial in
            try await trial.plant(["file": "x"])
            await trial.expectRefusal(.fileNoSuchFile, of: "attributesOfItem") {
                try await trial.provider.attributesOfItem(path: trial["file/below"])
            }
        },
        Self("errors.list-missing", "listing a missing folder throws fileNoSuchFile") { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial["gone"])
            }
        },
        Self("errors.search-missing", "searching in a missing folder throws fileNoSuchFile") { trial in
            for recursive in [false, true] {
                await trial.expectRefusal(.fileNoSuchFile, of: "searchFiles(recursive: \(recursive))") {
                    try await trial.search("gone", recursive: recursive, .all)
                }
            }
        },
        Self("errors.read-missing", "reading a missing file throws fileNoSuchFile", needs: [.reading]) { trial in
            let reading = try trial.reading
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "contents") {
                try await reading.contents(path: trial["gone"])
            }
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "contents(offset:length:)") {
                try await reading.contents(path: trial["gone"], offset: 1, length: 2)
            }
        },
        Self("errors.stream-missing", "streaming a missing file throws fileNoSuchFile", needs: [.streams]) { trial in
            let streams = try trial.streams
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "contentStream") {
                try await streams.contentStream(path: trial["gone"]).collect()
            }
        },
        Self(
            "errors.download-missing",
            "downloading a missing file throws fileNoSuchFile and makes nothing",
            needs: [.operations]
        ) { trial in
            let operations = try trial.operations
            try await withLocalFolder { folder in
                await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "downloading") {
                    try await operations.copyItem(path: trial["gone"], toLocalURL: folder["a"])
                }
                trial.expectEqual(try folder.names, [], "names in the local folder")
            }
        },
        Self(
            "errors.upload-missing",
            "uploading a missing local file throws fileNoSuchFile and makes nothing",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await withLocalFolder { folder in
                await trial.expectRefusal(.fileNoSuchFile, of: "uploading") {
                    try await files.copyItem(localFile: folder["gone"], to: trial["a"])
                }
            }
            try await trial.expectTree([:])
        },
        Self("errors.remove-missing", "removing a missing item throws fileNoSuchFile", needs: .writing) { trial in
            let files = try trial.files
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "removeItem") {
                try await files.removeItem(path: trial["gone"])
            }
        },
        Self(
            "errors.write-without-folder",
            "writing into a missing folder throws fileNoSuchFile, which names the folder",
            needs: .writing
        ) { trial in
            let files = try trial.files
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "writeContents") {
                try await files.writeContents(path: trial["gone/a.txt"], contents: Data(file: "x"))
            }
            try await trial.expectTree([:])
        },
        Self(
            "errors.stream-without-folder",
            "streaming into a missing folder throws fileNoSuchFile, which names the folder",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "writeStream") {
                try await streams.writeStream(path: trial["gone/a.txt"], contents: DataChunks(Data(file: "x")))
            }
            try await trial.expectTree([:])
        },
        Self(
            "errors.folder-without-parent",
            "making a folder in a missing one throws fileNoSuchFile, which names that one",
            needs: .writing
        ) { trial in
            let files = try trial.files
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "create(folder:at:)") {
                try await files.create(folder: "new", at: trial["gone"])
            }
            try await trial.expectTree([:])
        },
    ]

    // MARK: A file for a folder, a folder for a file

    private static let kindErrors: [ConformanceCheck] = [
        Self("errors.list-file", "listing a file throws fileReadUnknown, since it is no folder") { trial in
            try await trial.plant(["file": "x"])
            await trial.expectRefusal(.fileReadUnknown, naming: trial["file"], of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial["file"])
            }
        },
        Self("errors.search-file", "searching in a file throws fileReadUnknown, since it is no folder") { trial in
            try await trial.plant(["file": "x"])
            await trial.expectRefusal(.fileReadUnknown, of: "searchFiles") {
                try await trial.search("file", recursive: true, .all)
            }
        },
        Self(
            "errors.read-folder",
            "reading a folder throws fileReadUnknown, since it has no contents",
            needs: [.reading, .emptyFolders]
        ) { trial in
            let reading = try trial.reading
            try await trial.plant(["folder/": ""])
            await trial.expectRefusal(.fileReadUnknown, naming: trial["folder"], of: "contents") {
                try await reading.contents(path: trial["folder"])
            }
            await trial.expectRefusal(.fileReadUnknown, of: "contents(offset:length:)") {
                try await reading.contents(path: trial["folder"], offset: 0, length: 1)
            }
        },
        Self(
            "errors.stream-folder",
            "streaming a folder throws fileReadUnknown, since it has no contents",
            needs: [.streams, .emptyFolders]
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["folder/": ""])
            await trial.expectRefusal(.fileReadUnknown, naming: trial["folder"], of: "contentStream") {
                try await streams.contentStream(path: trial["folder"]).collect()
            }
        },
        Self(
            "errors.download-folder",
            "downloading a folder as a file throws fileReadUnknown and makes nothing",
            needs: [.operations, .emptyFolders]
        ) { trial in
            let operations = try trial.operations
            try await trial.plant(["folder/": ""])
            try await withLocalFolder { folder in
                await trial.expectRefusal(.fileReadUnknown, of: "downloading") {
                    try await operations.copyItem(path: trial["folder"], toLocalURL: folder["a"])
                }
                trial.expectEqual(try folder.names, [], "names in the local folder")
            }
        },
        Self(
            "errors.upload-folder",
            "uploading a local folder as a file throws fileReadUnknown and makes nothing",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await withLocalFolder { folder in
                await trial.expectRefusal(.fileReadUnknown, of: "uploading") {
                    try await files.copyItem(localFile: folder.url, to: trial["a"])
                }
            }
            try await trial.expectTree([:])
        },
        Self("errors.write-below-file", "writing below a file throws fileWriteUnknown", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant(["file": "x"])
            await trial.expectRefusal(.fileWriteUnknown, of: "writeContents") {
                try await files.writeContents(path: trial["file/a.txt"], contents: Data(file: "y"))
            }
            try await trial.expectTree(["file": "x"])
        },
        Self("errors.folder-below-file", "making a folder in a file throws fileWriteUnknown", needs: .writing) {
            trial in
            let files = try trial.files
            try await trial.plant(["file": "x"])
            for creatingParents in [false, true] {
                await trial.expectRefusal(.fileWriteUnknown, of: "create(folder:creatingParents: \(creatingParents))") {
                    try await files.create(folder: "new", at: trial["file"], creatingParents: creatingParents)
                }
            }
            try await trial.expectTree(["file": "x"])
        },
        Self("errors.move-below-file", "copying or moving below a file throws fileWriteUnknown", needs: .writing) {
            trial in
            let files = try trial.files
            try await trial.plant(["file": "x", "other": "y"])
            await trial.expectRefusal(.fileWriteUnknown, of: "copyItem") {
                try await files.copyItem(path: trial["other"], to: trial["file/a.txt"])
            }
            await trial.expectRefusal(.fileWriteUnknown, of: "moveItem") {
                try await files.moveItem(path: trial["other"], to: trial["file/a.txt"])
            }
            try await trial.expectTree(["file": "x", "other": "y"])
        },
    ]

    // MARK: Contents of errors

    private static let namingErrors: [ConformanceCheck] = [
        Self("errors.words", "an error says in words what happened and which item it is about") { trial in
            do {
                _ = try await trial.provider.attributesOfItem(path: trial["gone"])
                trial.fail("a missing item has attributes")
            } catch let error as CocoaError {
                let words = error.userInfo[NSLocalizedDescriptionKey] as? String
                trial.expect(!(words ?? "").isEmpty, "NSLocalizedDescriptionKey is missing")
                let name = trial["gone"].lastName
                trial.expect(error.localizedDescription.contains(name), "the description doesn't name the item")
                trial.expect(!"\(error)".contains("(null)"), "it prints as \(error)")
                trial.expect(error.userInfo[NSFilePathErrorKey] is String, "NSFilePathErrorKey is missing")
            }
        },
        Self("errors.name-too-long", "a name that is too long throws fileWriteInvalidFileName", needs: .writing) {
            trial in
            let files = try trial.files
            guard let limit = trial.provider.capabilities.maximumNameLength, limit < 100_000 else {
                throw NotApplicable("a limit for the length of names")
            }
            let name = String(repeating: "n", count: limit + 1)
            await trial.expectRefusal(.fileWriteInvalidFileName, of: "writeContents") {
                try await files.writeContents(path: trial.root.appending(name), contents: Data(file: "x"))
            }
            await trial.expectRefusal(.fileWriteInvalidFileName, of: "create(folder:at:)") {
                try await files.create(folder: name, at: trial.root)
            }
            try await trial.plant(["a.txt": "a"])
            await trial.expectRefusal(.fileWriteInvalidFileName, of: "moveItem") {
                try await files.moveItem(path: trial["a.txt"], to: trial.root.appending(name))
            }
            await trial.expectRefusal(.fileWriteInvalidFileName, of: "copyItem") {
                try await files.copyItem(path: trial["a.txt"], to: trial.root.appending(name))
            }
            try await trial.expectTree(["a.txt": "a"])
        },
        Self(
            "errors.longest-name",
            "a name of the greatest length is taken",
            needs: .writing
        ) { trial in
            let files = try trial.files
            guard let limit = trial.provider.capabilities.maximumNameLength, limit < 100_000 else {
                throw NotApplicable("a limit for the length of names")
            }
            let path = trial.root.appending(String(repeating: "n", count: limit))
            try await files.writeContents(path: path, contents: Data(file: "x"))
            try await trial.expectContents(of: path, "x")
        },
        Self(
            "errors.forbidden-characters",
            "a name with a forbidden character throws fileWriteInvalidFileName",
            needs: .writing
        ) { trial in
            let files = try trial.files
            let forbidden = trial.provider.capabilities.forbiddenCharacters
            if forbidden.isEmpty { throw NotApplicable("characters that are forbidden in names") }
            for scalar in forbidden.unicodeScalars {
                let name = "a\(scalar)b"
                await trial.expectRefusal(.fileWriteInvalidFileName, of: "writing \(name.debugDescription)") {
                    try await files.writeContents(path: trial.root.appending(name), contents: Data(file: "x"))
                }
                await trial.expectRefusal(.fileWriteInvalidFileName, of: "making folder \(name.debugDescription)") {
                    try await files.create(folder: name, at: trial.root)
                }
            }
            try await trial.expectTree([:])
        },
        Self(
            "errors.file-too-large",
            "a file that is too large is refused before its content is sent",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            guard let limit = trial.provider.capabilities.maximumFileSize, limit < Int64.max else {
                throw NotApplicable("a limit for the size of files")
            }
            let chunks = ScriptedChunks(Data(count: 1 << 20), chunkSize: 1 << 16)
            await trial.expectError("an error", of: "writing too much", where: { _ in true }) {
                try await streams.writeStream(path: trial["a"], contents: chunks, length: limit + 1)
            }
            trial.expectEqual(chunks.handedOut, 0, "chunks that were sent")
            try await trial.expectTree([:])
        },
    ]

    // MARK: Changed meanwhile

    private static let preconditionErrors: [ConformanceCheck] = [
        Self(
            "errors.if-match-fails",
            "a write whose eTag is no longer the file's is refused with 412, and leaves the file",
            needs: .streaming + [.can(\.writesConditionally, "conditional writes")]
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["a.txt": "one"])
            let eTag = try await trial.eTag(of: "a.txt")
            try await trial.fixtures.writeContents(path: trial["a.txt"], contents: Data(file: "two"), overwrite: true)
            await trial.expectPreconditionFailure(of: "writing with an old eTag") {
                try await streams.writeStream(
                    path: trial["a.txt"],
                    contents: DataChunks(Data(file: "three")),
                    options: WriteOptions(ifMatch: eTag)
                )
            }
            try await trial.expectTree(["a.txt": "two"])
        },
        Self(
            "errors.if-match-missing",
            "a write that must find an eTag is refused with 412 or fileNoSuchFile where there is no file",
            needs: .streaming + [.can(\.writesConditionally, "conditional writes")]
        ) { trial in
            let streams = try trial.streams
            await trial.expectError(
                "status 412 or fileNoSuchFile",
                of: "writing a missing file with an eTag",
                where: { ($0 as? any FileProviderHTTPError)?.statusCode == 412 || $0.isCocoa(.fileNoSuchFile) }
            ) {
                try await streams.writeStream(
                    path: trial["a.txt"],
                    contents: DataChunks(Data(file: "x")),
                    options: WriteOptions(ifMatch: "some-eTag")
                )
            }
            try await trial.expectTree([:])
        },
        Self(
            "errors.if-match-holds",
            "a write whose eTag is the file's replaces it",
            needs: .streaming + [.can(\.writesConditionally, "conditional writes")]
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["a.txt": "one"])
            let eTag = try await trial.eTag(of: "a.txt")
            try await streams.writeStream(
                path: trial["a.txt"],
                contents: DataChunks(Data(file: "two")),
                options: WriteOptions(ifMatch: eTag)
            )
            try await trial.expectTree(["a.txt": "two"])
        },
        Self(
            "errors.if-match-unsupported",
            "a condition that the storage can't check is refused, never left out",
            needs: .streaming + [.cannot(\.writesConditionally, "no conditional writes")]
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["a.txt": "one"])
            await trial.expectRefusal(.featureUnsupported, of: "writing with an eTag") {
                try await streams.writeStream(
                    path: trial["a.txt"],
                    contents: DataChunks(Data(file: "two")),
                    options: WriteOptions(overwrite: true, ifMatch: "some-eTag")
                )
            }
            try await trial.expectTree(["a.txt": "one"])
        },
    ]
}

extension Error {
    fileprivate func isCocoa(_ code: CocoaError.Code) -> Bool { (self as? CocoaError)?.code == code }
}
