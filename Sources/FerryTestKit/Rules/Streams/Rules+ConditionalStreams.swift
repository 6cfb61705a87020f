import FerryCore
import Foundation

extension ConformanceCheck {
    /// Contents that are sent only to who has others.
    static let conditionalStreams: [ConformanceCheck] = [
        Self(
            "streams.unless-same",
            "a file is not sent to who has it, neither all of it nor a part; to others it is",
            needs: .streaming + [.conditions]
        ) { trial in
            try await trial.plant(["a.txt": "one and all"])
            let path = trial["a.txt"]
            let eTag = try await trial.sentETag(of: path)
            let conditional = try trial.require(trial.provider as? any FileProviderConditionalReading, "no conditions")
            for range in [ByteRange.all, .bytes(4..<7), .from(8)] {
                let same = try await conditional.contentStream(path: path, range: range, unless: eTag, reporting: nil)
                if let same {
                    // A storage that takes no notice of the condition says which version it is.
                    trial.expectEqual(same.facts.eTag, eTag, "the eTag of \(range)")
                }
                let other = "\"another-version\""
                let sent = try await conditional.contentStream(path: path, range: range, unless: other, reporting: nil)
                let part = range.resolved(size: 11)
                let text = Data(file: "one and all")[Int(part.lowerBound)..<Int(part.upperBound)]
                trial.expectEqual(try await sent?.collect(), text, "\(range) of the file")
            }
        },
        Self(
            "streams.unless-changed",
            "a file that has changed is sent, with its new eTag",
            needs: .streaming + [.conditions]
        ) { trial in
            try await trial.plant(["a.txt": "one"])
            let path = trial["a.txt"]
            let eTag = try await trial.sentETag(of: path)
            let conditional = try trial.require(trial.provider as? any FileProviderConditionalReading, "no conditions")
            try await trial.files.writeContents(path: path, contents: Data(file: "three"), overwrite: true)
            let new = try await conditional.contentStream(path: path, range: .all, unless: eTag, reporting: nil)
            trial.expect(new?.facts.eTag != eTag, "the new content has the old eTag")
            trial.expectEqual(try await new?.collect(), Data(file: "three"), "the contents")
        },
        Self(
            "streams.unless-missing",
            "a missing file is missing, whatever version the asker has",
            needs: .streaming + [.conditions]
        ) { trial in
            let conditional = try trial.require(trial.provider as? any FileProviderConditionalReading, "no conditions")
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["a.txt"], of: "asking") {
                _ = try await conditional.contentStream(
                    path: trial["a.txt"],
                    range: .all,
                    unless: "\"some-eTag\"",
                    reporting: nil
                )
            }
        },
    ]
}

extension Trial {
    /// The eTag that comes with the contents; where a file has none right after a change, it is waited for.
    fileprivate func sentETag(of path: ItemPath) async throws -> String {
        let deadline = ContinuousClock.now + min(timeout, .seconds(10))
        while true {
            if let eTag = try await streams.contentStream(path: path).facts.eTag { return eTag }
            guard ContinuousClock.now < deadline else { throw NotApplicable("eTags") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}
