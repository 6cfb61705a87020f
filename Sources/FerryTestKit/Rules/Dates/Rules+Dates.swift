import FerryCore
import Foundation

extension ConformanceCheck {
    private static let chosenDates: [(slug: String, words: String, date: Date)] = [
        ("whole-second", "a date of whole seconds", Date(timeIntervalSince1970: 1_600_000_000)),
        ("half-second", "a date with half a second", Date(timeIntervalSince1970: 1_600_000_000.5)),
        ("microseconds", "a date with microseconds", Date(timeIntervalSince1970: 1_600_000_000.123456)),
        ("odd-second", "a date of odd seconds", Date(timeIntervalSince1970: 1_600_000_001)),
        ("long-ago", "a date of 1985", Date(timeIntervalSince1970: 500_000_000)),
        ("after-2038", "a date past 2038", Date(timeIntervalSince1970: 2_500_000_000)),
    ]

    private static let setsDates: [ConformanceNeed] =
        .streaming + [.can(\.setsModifiedDate, "modified dates that can be chosen")]

    /// Dates are kept as exactly as the storage says.
    static let dates: [ConformanceCheck] =
        chosenDates.map { example in
            Self(
                ID(rawValue: "dates.\(example.slug)"),
                "\(example.words), given with a write, is kept to the stated precision",
                needs: setsDates
            ) { trial in
                try await trial.streams.writeStream(
                    path: trial["a.txt"],
                    contents: DataChunks(Data(file: "a")),
                    options: WriteOptions(modifiedDate: example.date)
                )
                try await trial.expectModified("a.txt", example.date)
            }
        } + [
            Self("dates.overwrite", "an overwriting write gives the file the date it was given", needs: setsDates) {
                trial in
                try await trial.plant(["a.txt": "old"])
                let date = Date(timeIntervalSince1970: 1_500_000_000)
                try await trial.streams.writeStream(
                    path: trial["a.txt"],
                    contents: DataChunks(Data(file: "new")),
                    options: WriteOptions(overwrite: true, modifiedDate: date)
                )
                try await trial.expectModified("a.txt", date)
            },
            Self("dates.upload", "an upload keeps the local file's modified date", needs: setsDates) { trial in
                let date = Date(timeIntervalSince1970: 1_400_000_000)
                try await withLocalFolder { folder in
                    let url = try folder.write("up", Data(file: "x"), modified: date)
                    try await trial.files.copyItem(localFile: url, to: trial["a.txt"])
                }
                try await trial.expectModified("a.txt", date)
            },
            Self("dates.download", "a download gives the local file the item's modified date", needs: [.operations]) {
                trial in
                try await trial.plant(["a.txt": "a"])
                guard let date = try await trial.provider.attributesOfItem(path: trial["a.txt"]).modifiedDate else {
                    throw NotApplicable("modified dates")
                }
                try await withLocalFolder { folder in
                    try await trial.operations.copyItem(path: trial["a.txt"], toLocalURL: folder["down"])
                    let local = try trial.require(try folder.modifiedDate(of: "down"), "the local file has no date")
                    // The answer to a download may be more exact than the listing.
                    let precision = (trial.provider.capabilities.datePrecision ?? .zero) / .seconds(1)
                    let isLike = -0.001..<(precision > 1 ? precision : 0.001) ~= local.timeIntervalSince(date)
                    trial.expect(isLike, "it is \(local), and should be \(date)")
                }
            },
            Self("dates.reading", "reading a file changes neither its modified date nor its eTag", needs: [.reading]) {
                trial in
                try await trial.plant(["a.txt": "a"])
                let before = try await trial.provider.attributesOfItem(path: trial["a.txt"])
                try await trial.expectContents(of: trial["a.txt"], "a")
                let after = try await trial.provider.attributesOfItem(path: trial["a.txt"])
                trial.expectEqual(after.modifiedDate, before.modifiedDate, "the modified date")
                // A storage may have none to tell while a file is new.
                if before.eTag != nil { trial.expectEqual(after.eTag, before.eTag, "the eTag") }
            },
            Self("dates.e-tag", "an eTag changes when the content does", needs: .writing) { trial in
                try await trial.plant(["a.txt": "one"])
                guard let before = try await trial.provider.attributesOfItem(path: trial["a.txt"]).eTag else {
                    throw NotApplicable("eTags")
                }
                // As long as before, so that a size alone would not do.
                try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "two"), overwrite: true)
                let after = try await trial.provider.attributesOfItem(path: trial["a.txt"]).eTag
                trial.expect(after != before, "the eTag is still \(before)")
            },
            Self("dates.recent", "a new file's dates are about now, give or take an unset clock", needs: .writing) {
                trial in
                try await trial.files.writeContents(path: trial["a.txt"], contents: Data(file: "a"))
                let item = try await trial.provider.attributesOfItem(path: trial["a.txt"])
                for date in [item.modifiedDate, item.creationDate].compactMap(\.self) {
                    trial.expect(abs(date.timeIntervalSinceNow) < 86_400, "a date is \(date)")
                }
            },
        ]
}

extension Trial {
    fileprivate func expectModified(
        _ path: ItemPath,
        _ expected: Date,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let precision = provider.capabilities.datePrecision.map { Double($0.components.seconds) + $0.fraction } ?? 1
        let described = try await provider.attributesOfItem(path: self[path]).modifiedDate
        let listed = try await provider.contentsOfDirectory(path: root).first { $0.path == self[path] }?.modifiedDate
        for (what, date) in [("attributes", described), ("the listing", listed)] {
            guard let date else {
                fail("\(what) tell no modified date", filePath: filePath, line: line)
                continue
            }
            // A `Date` is a `Double`: its own rounding comes on top.
            expect(
                abs(date.timeIntervalSince(expected)) < precision + 1e-6,
                "\(what) tell \(date.timeIntervalSince1970), and should tell \(expected.timeIntervalSince1970)",
                filePath: filePath,
                line: line
            )
        }
    }
}

extension Duration {
    fileprivate var fraction: Double { Double(components.attoseconds) / 1e18 }
}
