import FerryCore
import Foundation
import NIOCore

/// Compares contents by reading them, or by asking storages for checksums, where listings are not enough.
struct ContentComparison: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let control: TransferControl?

    /// Returns whether two files have the same content, by checksums: only what is on this machine is read for them.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - other: The target's item.
    ///   - readsBoth: `true` if two files of this machine are read, of which no checksum is known, and storages that
    ///     work out checksums are asked for them.
    /// - Returns: `nil` where that can't be told: the storage at the other end of the line tells no checksum of a kind
    ///   that we can compute.
    /// - Throws: Any error that reading throws.
    func isSameByChecksum(_ item: FileObject, _ other: FileObject, readsBoth: Bool) async throws -> Bool? {
        guard item.isRegularFile, other.isRegularFile, item.size == other.size else { return nil }
        for (near, file, known) in [
            (source, item, other.extras[.checksums]), (target, other, item.extras[.checksums]),
        ] where near.isNear {
            // Unless somebody asks for any checksum that there is, only one that proves something is worth reading.
            guard let known, case let kinds = Set(known.keys).filter({ readsBoth || $0.provesSameness }),
                let sums = try await checksums(of: file, at: near, kinds)
            else { continue }
            return sums.allSatisfy { kind, sum in known[kind].map { kind.isSame($0, sum) } ?? false }
        }
        guard readsBoth else { return nil }
        guard source.isNear, target.isNear else { return try await isSameByAsking(item, other) }
        return try await isSameByContents(item, other)
    }

    /// Compares checksums that the storages at the other end of a line work out when they are asked.
    private func isSameByAsking(_ item: FileObject, _ other: FileObject) async throws -> Bool? {
        let sides = [(source, item), (target, other)]
        kinds: for kind in ChecksumKind.usual {
            var sums: [String?] = []
            for (place, file) in sides where !place.isNear {
                guard let sum = try await askedChecksum(kind, of: file, at: place) else { continue kinds }
                sums.append(kind.normalized(sum))
            }
            for (place, file) in sides where place.isNear {
                sums.append(try await checksums(of: file, at: place, [kind])?[kind])
            }
            return sums[0] == sums[1]
        }
        return nil
    }

    private func askedChecksum(_ kind: ChecksumKind, of file: FileObject, at place: TransferPlace) async throws
        -> String?
    {
        if let known = file.extras[.checksums]?[kind] { return known }
        try await control?.pass()
        return try await (place.storage as? any FileProviderChecksums)?.checksum(kind, path: file.path)
    }

    private func checksums(
        of file: FileObject,
        at place: TransferPlace,
        _ kinds: Set<ChecksumKind>
    ) async throws -> [ChecksumKind: String]? {
        guard !kinds.isDisjoint(with: ChecksumKind.usual) else { return nil }
        let sums = RunningChecksums(kinds)
        for try await chunk in try await place.storage.contentStream(path: file.path) {
            try await control?.pass()
            await sums.update(chunk)
        }
        return await sums.finish()
    }

    /// Returns whether two files have the same content, found out by reading both.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - other: The target's item.
    /// - Returns: `true` if all bytes are equal.
    /// - Throws: Any error that reading throws.
    func isSameByContents(_ item: FileObject, _ other: FileObject) async throws -> Bool {
        if let first = item.size, let second = other.size, first != second { return false }
        async let opening = target.storage.contentStream(path: other.path)
        var ours = try await source.storage.contentStream(path: item.path).makeAsyncIterator()
        var theirs = try await opening.makeAsyncIterator()
        var (first, second) = (ByteBuffer(), ByteBuffer())
        while true {
            try await control?.pass()
            if first.readableBytes == 0 { first = try await ours.next() ?? first }
            if second.readableBytes == 0 { second = try await theirs.next() ?? second }
            let count = min(first.readableBytes, second.readableBytes)
            // One of them is at its end: are both?
            if count == 0 { return first.readableBytes == second.readableBytes }
            guard first.readSlice(length: count) == second.readSlice(length: count) else { return false }
        }
    }
}

extension ChecksumKind {
    /// Indicates whether equal checksums mean equal contents, as far as accidents go.
    ///
    /// QuickXorHash adds up bits that lie 160 bytes apart: contents whose blocks have changed places have the same one, and
    /// so have files of one repeated byte, whichever it is, if their size is a multiple of 320. It finds transfers that
    /// went wrong; that two files are the same it doesn't say.
    var provesSameness: Bool { self != .quickXor }
}
