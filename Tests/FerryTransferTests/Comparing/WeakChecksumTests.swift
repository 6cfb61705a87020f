import FerryCore
import FerryTransfer
import Foundation
import Testing

@Suite("A checksum that other contents have, too, is no proof")
struct WeakChecksumTests {
    private func file(_ sums: [ChecksumKind: String], day: Int) -> FileObject {
        let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(day) * 86_400)
        var file = FileObject(path: "/a", type: .file)
        (file.size, file.modifiedDate) = (320, date)
        file.extras[.checksums] = sums
        return file
    }

    private func compare(
        _ rule: ComparisonRule,
        _ source: [ChecksumKind: String],
        _ target: [ChecksumKind: String],
        daysApart: Int
    ) -> Sameness {
        var capabilities = FileProviderCapabilities()
        capabilities.datePrecision = .seconds(1)
        capabilities.setsModifiedDate = true
        return FileComparison(rule, from: capabilities, to: capabilities)
            .compare(file(source, day: 0), with: file(target, day: daysApart))
    }

    @Test("equal QuickXorHashes leave the decision to the dates, other ones and SHA-256 decide by themselves")
    func decisions() {
        let (one, other) = ([ChecksumKind.quickXor: "AAA="], [ChecksumKind.quickXor: "aaa="])
        #expect(compare(.standard, one, one, daysApart: 1) == .different(.date))
        #expect(compare(.standard, one, one, daysApart: 0) == .same)
        #expect(compare(.standard, one, other, daysApart: 0) == .different(.checksum))
        let both = [ChecksumKind.quickXor: "AAA=", .sha256: "ab"]
        #expect(compare(.standard, both, both, daysApart: 1) == .same)
        #expect(compare(.standard, both, one, daysApart: 1) == .different(.date))
        // A comparison by checksums takes those that there are.
        #expect(compare(.checksum, one, one, daysApart: 1) == .same)
    }
}
