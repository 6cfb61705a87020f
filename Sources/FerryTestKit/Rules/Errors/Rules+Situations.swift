import FerryCore
import Foundation

extension ConformanceCheck {
    /// The errors of bad days, which a stage must bring about.
    static let situations: [ConformanceCheck] = [
        Self(
            "situations.full-write",
            "a full storage throws fileWriteOutOfSpace, and leaves nothing of the new file",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.enter(.full)
            try await trial.expectNoChange {
                await trial.expectRefusal(.fileWriteOutOfSpace, of: "writing") {
                    try await files.writeContents(path: trial["new"], contents: Trial.bytes(64 << 10))
                }
            }
        },
        Self(
            "situations.full-overwrite",
            "a full storage keeps the old content of a file that can't be replaced",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["a.txt": "old"])
            try await trial.enter(.full)
            try await trial.expectNoChange {
                await trial.expectRefusal(.fileWriteOutOfSpace, of: "writing") {
                    try await streams.writeStream(
                        path: trial["a.txt"],
                        contents: DataChunks(Trial.bytes(64 << 10)),
                        options: WriteOptions(overwrite: true)
                    )
                }
            }
        },
        Self("situations.full-copy", "a copy that finds no room leaves nothing", needs: .writing) { trial in
            let files = try trial.files
            try await trial.plant("big", Trial.bytes(64 << 10))
            try await trial.enter(.full)
            try await trial.expectNoChange {
                await trial.expectRefusal(.fileWriteOutOfSpace, of: "copying") {
                    try await files.copyItem(path: trial["big"], to: trial["copy"])
                }
            }
        },
        Self(
            "situations.read-only",
            "a storage that has become read-only throws fileWriteVolumeReadOnly for every change",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            try await trial.enter(.readOnly)
            try await trial.expectNoChange {
                for (name, change) in Change.all(of: files, in: trial) {
                    await trial.expectRefusal(.fileWriteVolumeReadOnly, of: name, change)
                }
            }
        },
        Self("situations.unreadable-file", "a file that we may not read throws fileReadNoPermission", needs: [.reading])
        {
            trial in
            let reading = try trial.reading
            try await trial.plant(["a.txt": "a"])
            try await trial.enter(.unreadable, at: trial["a.txt"])
            await trial.expectRefusal(.fileReadNoPermission, naming: trial["a.txt"], of: "contents") {
                try await reading.contents(path: trial["a.txt"])
            }
        },
        Self(
            "situations.unreadable-folder",
            "a folder that we may not list throws fileReadNoPermission, and is never shown as empty"
        ) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.enter(.unreadable, at: trial["folder"])
            await trial.expectRefusal(.fileReadNoPermission, naming: trial["folder"], of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial["folder"])
            }
            await trial.expectRefusal(.fileReadNoPermission, of: "searchFiles") {
                try await trial.search("/", recursive: true, .all)
            }
        },
        Self(
            "situations.unwritable-folder",
            "a folder that we may not change throws fileWriteNoPermission",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.enter(.unwritable, at: trial["folder"])
            await trial.expectRefusal(.fileWriteNoPermission, of: "writing into it") {
                try await files.writeContents(path: trial["folder/new"], contents: Data(file: "x"))
            }
            await trial.expectRefusal(.fileWriteNoPermission, of: "removing from it") {
                try await files.removeItem(path: trial["folder/a.txt"])
            }
            try await trial.expectTree(["folder/a.txt": "a"])
        },
        Self("situations.bad-credential", "a credential that is not taken throws userAuthenticationRequired") { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.enter(.badCredential)
            await trial.expectURLError(.userAuthenticationRequired, of: "attributesOfItem") {
                try await trial.provider.attributesOfItem(path: trial["a.txt"])
            }
            await trial.expectURLError(.userAuthenticationRequired, of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial.root)
            }
            await trial.expectURLError(.userAuthenticationRequired, of: "isReachable") {
                try await trial.provider.isReachable()
            }
        },
        Self("situations.unreachable", "a storage that does not answer is not reachable, which is no missing item") {
            trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.enter(.unreachable)
            let codes: [URLError.Code] = [.cannotConnectToHost, .cannotFindHost, .networkConnectionLost, .timedOut]
            await trial.expectError(
                "URLError that says so",
                of: "attributesOfItem",
                where: { ($0 as? URLError).map { codes.contains($0.code) } ?? false }
            ) {
                try await trial.provider.attributesOfItem(path: trial["a.txt"])
            }
            trial.expect(try await !trial.provider.isReachable(), "isReachable() is true")
        },
        Self("situations.cut-while-reading", "content that breaks off throws networkConnectionLost", needs: [.reading])
        {
            trial in
            let reading = try trial.reading
            let path = try await trial.plant("big", Trial.bytes(1 << 20))
            try await trial.enter(.cutWhileReading, at: path)
            await trial.expectURLError(.networkConnectionLost, of: "contents") {
                try await reading.contents(path: path)
            }
        },
        Self(
            "situations.cut-while-downloading",
            "a download that breaks off leaves no local file",
            needs: [.operations]
        ) { trial in
            let operations = try trial.operations
            let path = try await trial.plant("big", Trial.bytes(1 << 20))
            try await trial.enter(.cutWhileReading, at: path)
            try await withLocalFolder { folder in
                await trial.expectURLError(.networkConnectionLost, of: "downloading") {
                    try await operations.copyItem(path: path, toLocalURL: folder["a"])
                }
                trial.expectEqual(try folder.names, [], "names in the local folder")
            }
        },
        Self(
            "situations.cut-while-writing",
            "a line that breaks while content is sent throws networkConnectionLost, and the old content stays",
            needs: .writing
        ) { trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "old"])
            try await trial.enter(.cutWhileWriting, at: trial["a.txt"])
            await trial.expectURLError(.networkConnectionLost, of: "writeContents") {
                try await files.writeContents(path: trial["a.txt"], contents: Trial.bytes(1 << 20), overwrite: true)
            }
            try await trial.expectTree(["a.txt": "old"], afterBreak: true)
        },
        Self("situations.silent", "a storage that never answers throws timedOut") { trial in
            try await trial.enter(.silent)
            await trial.expectURLError(.timedOut, of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial.root)
            }
        },
        Self("situations.untrusted", "a certificate that nobody should trust ends the connection") { trial in
            try await trial.enter(.untrusted)
            await trial.expectURLError(
                .serverCertificateUntrusted,
                .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid,
                of: "contentsOfDirectory"
            ) {
                try await trial.provider.contentsOfDirectory(path: trial.root)
            }
        },
        Self("situations.senseless", "an answer that makes no sense throws cannotParseResponse") { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.enter(.senseless)
            await trial.expectURLError(.cannotParseResponse, of: "contentsOfDirectory") {
                try await trial.provider.contentsOfDirectory(path: trial.root)
            }
            await trial.expectURLError(.cannotParseResponse, of: "attributesOfItem") {
                try await trial.provider.attributesOfItem(path: trial["a.txt"])
            }
        },
        Self(
            "situations.redirected",
            "credentials go to no other origin, wherever an answer redirects to (RFC 9110 §11.6.2, RFC 6750 §5.3)",
            needs: [.reading]
        ) { trial in
            let reading = try trial.reading
            guard let credentialsElsewhere = trial.stage.credentialsElsewhere else {
                throw NotApplicable("a server of somebody else, which this stage has none of")
            }
            let content = Trial.bytes(64 << 10)
            let path = try await trial.plant("a.txt", content)
            // Some credentials are only sent after the server has asked for them once.
            _ = try await reading.contents(path: path)
            try await trial.enter(.redirected)
            // Refusing to follow is as good as following without credentials, so that errors don't matter here. Nor does
            // what becomes of the file: the server may have done what it was asked for before the answer was replaced.
            var isAsEver = [
                (try? await reading.contents(path: path)) == content,
                (try? await reading.contents(path: path, offset: 10, length: 10)) == content[10..<20],
                (try? await trial.provider.attributesOfItem(path: path).size) == Int64(content.count),
                (try? await trial.provider.contentsOfDirectory(path: trial.root).count) == 1,
            ]
            if let files = trial.provider as? any FileProvider {
                func succeeds(_ change: () async throws -> Void) async -> Bool { (try? await change()) != nil }
                isAsEver += [
                    await succeeds {
                        try await files.writeContents(path: path, contents: Trial.bytes(100), overwrite: true)
                    },
                    await succeeds { try await files.copyItem(path: path, to: trial["copy"]) },
                    await succeeds { try await files.removeItem(path: path) },
                ]
            }
            trial.expect(isAsEver.contains(false), "nothing was redirected")
            trial.expectEqual(credentialsElsewhere(), [], "credentials that another origin has received")
        },
        Self("situations.page-fails", "a listing that breaks off is an error, never a shorter listing") { trial in
            try trial.require(.pageFails)
            _ = try await trial.plantMany(1_500)
            try await trial.enter(.pageFails, at: trial.root)
            await trial.expectError("an error", of: "contentsOfDirectory", where: { !($0 is CancellationError) }) {
                try await trial.provider.contentsOfDirectory(path: trial.root)
            }
        },
        Self("situations.base-gone", "a storage whose base folder is gone is not reachable") { trial in
            try await trial.enter(.baseGone)
            trial.expect(try await !trial.provider.isReachable(), "isReachable() is true")
        },
    ]
}
