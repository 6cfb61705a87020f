import FerryCore
import Foundation
import NIOCore

// Of storages that deliver files as a whole only, and no version with them.

extension CacheEngine {
    /// The content of a file.
    ///
    /// The storage is asked for the file's version before and after: if it is the same, so is the content's.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - plan: The plan that says how the cache is used.
    ///   - progress: Bytes.
    ///   - read: Reads the file.
    /// - Returns: All bytes.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func wholeContents(
        of path: ItemPath,
        _ plan: ReadingPlan,
        _ progress: Progress?,
        read: (Progress?) async throws -> Data
    ) async throws -> Data {
        if let data = try await keptContents(of: path, .all, plan) {
            progress?.announceTransfer(of: Int64(data.count))
            progress?.completedUnitCount += Int64(data.count)
            return data
        }
        guard plan.keeps, !path.beginsWithIdentifier else { return try await read(progress) }
        let mark = await account.mark()
        do {
            let before = try await base.attributesOfItem(path: path)
            let data = try await read(progress)
            let version = self.version(before)
            guard before.isRegularFile, !before.isFresh, isProof(version), before.size == Int64(data.count),
                version.isSame(as: self.version(try await base.attributesOfItem(path: path)))
            else { return data }
            spellings?.note(path)
            let length = Int64(data.count)
            if let writer = await account.writer(path, version: version, length: length, asked: mark) {
                await writer.write(ByteBuffer(bytes: data), at: 0)
                await writer.finish()
            }
            return data
        } catch {
            await forget(path, after: error)
            throw error
        }
    }

    /// A part of a file, if all of it is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part.
    ///   - plan: The plan that says how the cache is used.
    /// - Returns: The bytes; `nil` if the storage has to be asked for them.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func keptContents(of path: ItemPath, _ range: ByteRange, _ plan: ReadingPlan) async throws -> Data? {
        if plan.removesFirst { await account.remove(path, below: false, kinds: [.contents]) }
        guard plan.use != .never else { return nil }
        let data = try await keptBytes(of: path, range, plan)
        if plan.removesAfter { await account.remove(path, below: false, kinds: [.contents]) }
        if data == nil, plan.use == .only { throw URLError.notCached(path) }
        return data
    }

    private func keptBytes(of path: ItemPath, _ range: ByteRange, _ plan: ReadingPlan) async throws -> Data? {
        guard let kept = await account.contents(path), let length = kept.length else { return nil }
        spellings?.note(path)
        let wanted = range.resolved(size: length)
        guard kept.ranges.covers(wanted) else { return nil }
        if plan.use == .validated {
            let item = try await attributesFromStorage(of: path, keeps: plan.keeps)
            guard item.isRegularFile, !item.isFresh, kept.version.isSame(as: self.version(item)) else { return nil }
            await account.revalidated(.contents, path)
        }
        return await kept.read(wanted).map { Data($0.readableBytesView) }
    }
}
