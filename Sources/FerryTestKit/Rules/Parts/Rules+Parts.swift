import FerryCore
import Foundation
import NIOCore
import Synchronization

extension ConformanceCheck {
    private static let partial: [ConformanceNeed] = .streaming + [.parts]

    /// Files that are written in parts.
    static let parts: [ConformanceCheck] = [
        Self("parts.in-order", "a file written in parts appears only when it is finished", needs: partial) { trial in
            let (data, write) = try await trial.beginParts("a.bin")
            for part in trial.cut(data, for: write) { try await trial.write(part, of: data, write) }
            await trial.expectNothing(at: trial["a.bin"])
            try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            try await trial.expectContents(of: trial["a.bin"], data)
            trial.expectEqual(Array(try await trial.snapshot().entries.keys), ["/a.bin"], "names")
        },
        Self("parts.noted-first", "what is begun is told before anything of it is there", needs: partial) { trial in
            // This call finds out if the storage takes parts at all.
            let (data, other) = try await trial.beginParts("b.bin")
            try await trial.partial.discardPartialWrite(other)
            let before = try await trial.snapshot()
            let noted = Mutex<PartialWrite?>(nil)
            await trial.expectError("SourceBroke", of: "a note that fails", where: { $0 is SourceBroke }) {
                _ = try await trial.partial.beginPartialWrite(
                    path: trial["a.bin"],
                    length: Int64(data.count),
                    options: WriteOptions()
                ) { write in
                    noted.withLock { $0 = write }
                    throw SourceBroke()
                }
            }
            let write = try trial.require(noted.withLock { $0 }, "a note of what is begun")
            trial.expectEqual(try await trial.snapshot(), before, "what is there")
            await trial.expectError("a lost write", of: "what was never begun", where: { $0 is PartialWriteLostError })
            {
                _ = try await trial.partial.writtenRanges(of: write)
            }
            try await trial.partial.discardPartialWrite(write)
        },
        Self("parts.any-order", "parts may come in any order, several at a time, and twice", needs: partial) { trial in
            let (data, write) = try await trial.beginParts("a.bin")
            guard write.limits.parallelism > 1 else { throw NotApplicable("parts in any order") }
            let parts = Array(trial.cut(data, for: write).reversed())
            try await withThrowingTaskGroup { group in
                for part in parts { group.addTask { try await trial.write(part, of: data, write) } }
                try await group.waitForAll()
            }
            if let again = parts.first { try await trial.write(again, of: data, write) }
            trial.expectEqual(try await trial.partial.writtenRanges(of: write), [0..<Int64(data.count)], "ranges")
            try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            try await trial.expectContents(of: trial["a.bin"], data)
        },
        Self("parts.going-on", "what a broken write has left is gone on with, by its record alone", needs: partial) {
            trial in
            let (data, begun) = try await trial.beginParts("a.bin")
            let parts = trial.cut(data, for: begun)
            let told = Mutex<Int64>(0)
            try await trial.write(parts[0], of: data, begun) { bytes in told.withLock { $0 += bytes } }
            trial.expectEqual(told.withLock { $0 }, Int64(parts[0].count), "bytes that were told")
            await trial.expectError("SourceBroke", of: "a part that breaks off", where: { $0 is SourceBroke }) {
                try await trial.partial.writePart(
                    of: begun,
                    offset: parts[1].lowerBound,
                    contents: ScriptedChunks(data[parts[1]], chunkSize: 1_000) { if $0 == 100 { throw SourceBroke() } },
                    length: Int64(parts[1].count)
                ) { _ in }
            }
            let write = try JSONDecoder().decode(PartialWrite.self, from: JSONEncoder().encode(begun))
            trial.expectEqual(write, begun, "the record that was written down")
            let ranges = try await trial.partial.writtenRanges(of: write)
            trial.expect(
                ranges.first.map { $0.lowerBound == 0 && $0.upperBound >= parts[0].upperBound } ?? false,
                "it has \(ranges), and not the part that was written"
            )
            if let sum = try await trial.partial.checksum(of: write, in: parts[0]) {
                let checksum = PartChecksum()
                data[parts[0]].withUnsafeBytes { checksum.update($0) }
                trial.expectEqual(sum, checksum.finish(), "the checksum of the part that was written")
            }
            for part in parts.dropFirst() { try await trial.write(part, of: data, write) }
            try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            try await trial.expectContents(of: trial["a.bin"], data)
        },
        Self("parts.incomplete", "a file that lacks its end can't be finished, and can be later", needs: partial) {
            trial in
            let (data, write) = try await trial.beginParts("a.bin")
            let parts = trial.cut(data, for: write)
            for part in parts.dropLast() { try await trial.write(part, of: data, write) }
            await trial.expectError(
                "a wrong length",
                of: "finishing",
                where: { ($0 as? URLError)?.code == .networkConnectionLost }
            ) {
                try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            }
            await trial.expectNothing(at: trial["a.bin"])
            if let last = parts.last { try await trial.write(last, of: data, write) }
            try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            try await trial.expectContents(of: trial["a.bin"], data)
        },
        Self("parts.discarding", "what is discarded is gone, and can be discarded again", needs: partial) { trial in
            let (data, write) = try await trial.beginParts("a.bin")
            let parts = trial.cut(data, for: write)
            try await trial.write(parts[0], of: data, write)
            try await trial.partial.discardPartialWrite(write)
            try await trial.expectTree([:])
            await trial.expectLoss(of: "asking for what is gone") {
                try await trial.partial.writtenRanges(of: write)
            }
            await trial.expectLoss(of: "writing to what is gone") {
                try await trial.write(parts[0], of: data, write)
            }
            await trial.expectLoss(of: "finishing what is gone") {
                try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            }
            try await trial.partial.discardPartialWrite(write)
            try await trial.expectTree([:])
        },
        Self("parts.existing", "what is there is replaced only if it may be", needs: partial) { trial in
            try await trial.plant(["a.bin": "old"])
            await trial.expectRefusal(.fileWriteFileExists, of: "beginning") {
                try await trial.beginParts("a.bin", options: WriteOptions())
            }
            let (data, write) = try await trial.beginParts("a.bin", options: WriteOptions(overwrite: true))
            for part in trial.cut(data, for: write) { try await trial.write(part, of: data, write) }
            try await trial.expectContents(of: trial["a.bin"], "old")
            try await trial.partial.finishPartialWrite(write, options: WriteOptions(overwrite: true))
            try await trial.expectContents(of: trial["a.bin"], data)
            trial.expectEqual(Array(try await trial.snapshot().entries.keys), ["/a.bin"], "names")
        },
        Self("parts.appeared", "a file that appears meanwhile is not replaced unasked", needs: partial) { trial in
            let (data, write) = try await trial.beginParts("a.bin")
            for part in trial.cut(data, for: write) { try await trial.write(part, of: data, write) }
            try await trial.plant(["a.bin": "somebody else's"])
            await trial.expectRefusal(.fileWriteFileExists, of: "finishing") {
                try await trial.partial.finishPartialWrite(write, options: WriteOptions())
            }
            try await trial.expectContents(of: trial["a.bin"], "somebody else's")
            try await trial.partial.discardPartialWrite(write)
            try await trial.expectTree(["a.bin": "somebody else's"])
        },
        Self("parts.date", "a finished file has the date that was asked for", needs: partial) { trial in
            guard trial.provider.capabilities.setsModifiedDate else { throw NotApplicable("dates that can be set") }
            let (data, write) = try await trial.beginParts("a.bin")
            for part in trial.cut(data, for: write) { try await trial.write(part, of: data, write) }
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            try await trial.partial.finishPartialWrite(write, options: WriteOptions(modifiedDate: date))
            let told = try await trial.provider.attributesOfItem(path: trial["a.bin"]).modifiedDate
            trial.expectEqual(told, date, "the date")
        },
        Self("parts.changed", "a condition that is no longer met keeps the old file", needs: partial) { trial in
            guard trial.provider.capabilities.writesConditionally else { throw NotApplicable("conditional writes") }
            let path = try await trial.plant("a.bin", Data(file: "old"))
            let eTag = try await trial.provider.attributesOfItem(path: path).eTag
            let options = WriteOptions(overwrite: true, ifMatch: eTag)
            let (data, write) = try await trial.beginParts("a.bin", options: options)
            for part in trial.cut(data, for: write) { try await trial.write(part, of: data, write) }
            try await trial.fixtures.writeContents(path: path, contents: Data(file: "newer"), overwrite: true)
            await trial.expectPreconditionFailure(of: "finishing") {
                try await trial.partial.finishPartialWrite(write, options: options)
            }
            try await trial.expectContents(of: path, "newer")
            try await trial.partial.discardPartialWrite(write)
        },
    ]
}

extension Trial {
    /// Begins a file of two and a half parts.
    @discardableResult
    fileprivate func beginParts(
        _ name: ItemPath,
        options: WriteOptions = WriteOptions()
    ) async throws -> (Data, PartialWrite) {
        guard let limits = try await partial.partialWriteLimits(length: 1 << 20) else {
            throw NotApplicable("a storage that takes parts")
        }
        let part = limits.partSize ?? max(300_000 / limits.alignment, 1) * limits.alignment
        let data = Self.bytes(Int(part) * 2 + 12_345)
        let write: PartialWrite
        do {
            write = try await partial.beginPartialWrite(path: self[name], length: Int64(data.count), options: options)
        } catch let error as CocoaError where error.code == .featureUnsupported {
            throw NotApplicable("a storage that takes parts")
        }
        return (data, write)
    }

    /// The parts of a file.
    fileprivate func cut(_ data: Data, for write: PartialWrite) -> [Range<Int64>] {
        let limits = write.limits
        let part = limits.partSize ?? max(300_000 / limits.alignment, 1) * limits.alignment
        return stride(from: 0, to: Int64(data.count), by: Int64.Stride(part)).map {
            $0..<min($0 + part, Int64(data.count))
        }
    }

    fileprivate func write(
        _ part: Range<Int64>,
        of data: Data,
        _ write: PartialWrite,
        wrote: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws {
        try await partial.writePart(
            of: write,
            offset: part.lowerBound,
            contents: DataChunks(data[part]),
            length: Int64(part.count),
            wrote: wrote
        )
    }

    fileprivate func expectLoss<Result>(of what: String, _ body: () async throws -> Result) async {
        await expectError("PartialWriteLostError", of: what, where: { $0 is PartialWriteLostError }, body)
    }

    fileprivate var partial: any FileProviderPartialWriting {
        get throws { try require(provider as? any FileProviderPartialWriting, "it takes no parts") }
    }
}

extension Data {
    /// A part of bytes that begin at 0.
    fileprivate subscript(part: Range<Int64>) -> Data { Data(self[Int(part.lowerBound)..<Int(part.upperBound)]) }
}
