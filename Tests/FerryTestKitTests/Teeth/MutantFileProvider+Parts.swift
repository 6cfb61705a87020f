import FerryCore
import FerryMemory
import Foundation
import NIOCore

extension MutantFileProvider: FileProviderPartialWriting {
    func beginPartialWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        guard flaw == .forgetsToNote else {
            return try await base.beginPartialWrite(path: path, length: length, options: options, noting: note)
        }
        let write = try await base.beginPartialWrite(path: path, length: length, options: options)
        try await note(write)
        return write
    }

    func writePart<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64,
        wrote: @escaping @Sendable (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        let place = flaw == .misplacesParts ? 0 : offset
        try await base.writePart(of: write, offset: place, contents: contents, length: length, wrote: wrote)
    }

    func checksum(of write: PartialWrite, in range: Range<Int64>) async throws -> String? {
        flaw == .inventsChecksums
            ? String(repeating: "a", count: 64) : try await base.checksum(of: write, in: range)
    }

    @discardableResult
    func finishPartialWrite(_ write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        switch flaw {
        case .finishesOverwriting:
            var options = options
            options.overwrite = true
            options.ifMatch = nil
            return try await base.finishPartialWrite(write, options: options)
        case .finishesIncomplete:
            for gap in RangeSet(0..<write.length).subtracting(RangeSet(try await base.writtenRanges(of: write))).ranges
            {
                let zeros = Data(count: gap.count)
                try await base.writePart(
                    of: write,
                    offset: gap.lowerBound,
                    contents: DataChunks(zeros),
                    length: Int64(gap.count)
                ) { _ in }
            }
            return try await base.finishPartialWrite(write, options: options)
        default: return try await base.finishPartialWrite(write, options: options)
        }
    }

    func discardPartialWrite(_ write: PartialWrite) async throws {
        if flaw == .keepsDiscardedParts { return }
        try await base.discardPartialWrite(write)
    }
}
