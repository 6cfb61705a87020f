import FerryCore
import Foundation

// Abilities that every storage of files has.

extension RemoteTrial {
    func tryWriting() async throws -> String? {
        try await require("ferry", at: try await write("ferry", to: "write ä.txt"))
        return nil
    }

    func tryReplacing() async throws -> String? {
        let path = try await write("old", to: "replace.txt")
        try await write("new one", to: "replace.txt", overwrite: true)
        try await require("new one", at: path)
        return nil
    }

    func tryCreating() async throws -> String? {
        let path = try await write("first", to: "create.txt")
        do {
            try await write("second", to: "create.txt")
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            try await require("first", at: path)
            return nil
        }
        throw Wrong("an existing file was replaced")
    }

    func tryConditions() async throws -> String? {
        let path = try await write("first", to: "condition.txt")
        guard let tag = try await storage.attributesOfItem(path: path).eTag else { throw Wrong("no version is told") }
        try await storage.writeStream(
            path: path,
            contents: DataChunks(Data("second".utf8)),
            options: WriteOptions(ifMatch: tag)
        )
        do {
            try await storage.writeStream(
                path: path,
                contents: DataChunks(Data("third".utf8)),
                options: WriteOptions(ifMatch: tag)
            )
        } catch is PreconditionFailedError {
            try await require("second", at: path)
            return nil
        }
        throw Wrong("a file that had changed was replaced")
    }

    func tryRanges() async throws -> String? {
        let path = try await write("0123456789", to: "range.txt")
        guard try await storage.contents(path: path, offset: 3, length: 4) == Data("3456".utf8) else {
            throw Wrong("another part came back")
        }
        return nil
    }

    func tryTransfers() async throws -> String? {
        let path = try await write("ferry", to: "original.txt")
        try await storage.copyItem(path: path, to: self.path("copy.txt"))
        try await storage.moveItem(path: path, to: self.path("moved.txt"))
        try await require("ferry", at: self.path("copy.txt"))
        try await require("ferry", at: self.path("moved.txt"))
        try await requireNothing(at: path)
        try await storage.create(folder: "tree", at: folder)
        let below = self.path("tree").appending("below.txt")
        try await storage.writeContents(path: below, contents: Data("below".utf8))
        try await storage.copyItem(path: self.path("tree"), to: self.path("tree copy"))
        try await require("below", at: self.path("tree copy").appending("below.txt"))
        return nil
    }

    func tryDates() async throws -> String? {
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        let path = path("date.txt")
        try await storage.writeStream(
            path: path,
            contents: DataChunks(Data("date".utf8)),
            length: 4,
            options: WriteOptions(modifiedDate: date)
        )
        let found = try await storage.attributesOfItem(path: path).modifiedDate
        guard found == date.rounded(to: storage.capabilities.datePrecision) else { throw Wrong("it has another date") }
        return nil
    }

    func tryIdentifiers() async throws -> String? {
        let path = try await write("ferry", to: "before.txt")
        guard let id = try await storage.attributesOfItem(path: path).id else { throw Wrong("no identifier is told") }
        try await storage.moveItem(path: path, to: self.path("after.txt"))
        let item = try await storage.attributesOfItem(path: ItemPath(identifier: id))
        guard item.path.lastName == "after.txt" else { throw Wrong("it leads to another item") }
        return nil
    }

    func tryParts() async throws -> String? {
        guard let parts = storage as? any FileProviderPartialWriting else { throw Untried() }
        let piece: Int64 = 4 << 20
        let length = piece + 5
        guard let limits = try await parts.partialWriteLimits(length: length) else {
            throw Untried("it takes so small a file in one piece only")
        }
        let size = limits.partSize ?? max(limits.alignment, piece - piece % limits.alignment)
        guard size < length, size % limits.alignment == 0 else {
            throw Untried("its parts are larger than the file of this test")
        }
        let data = Data(repeating: 7, count: Int(length))
        let write = try await parts.beginPartialWrite(path: path("parts.bin"), length: length, options: WriteOptions())
        do {
            func send(_ range: Range<Int64>) async throws {
                try await parts.writePart(
                    of: write,
                    offset: range.lowerBound,
                    contents: DataChunks(data[Int(range.lowerBound)..<Int(range.upperBound)]),
                    length: Int64(range.count)
                ) { _ in }
            }
            try await send(0..<size)
            guard try await parts.writtenRanges(of: write).last?.upperBound == size else {
                throw Wrong("another number of bytes is there than was sent")
            }
            var start = size
            while start < length {
                let end = min(start + size, length)
                try await send(start..<end)
                start = end
            }
            try await parts.finishPartialWrite(write, options: WriteOptions())
        } catch {
            // Parts that were sent would take up room for days.
            await uncancelled { try? await parts.discardPartialWrite(write) }
            throw error
        }
        guard try await storage.attributesOfItem(path: path("parts.bin")).size == length else {
            throw Wrong("the file has another length")
        }
        return nil
    }

    func tryBulk() async throws -> String? {
        guard let bulk = storage as? any FileProviderBulkWriting, bulk.bulkLimits != nil else { throw Untried() }
        let files = (1...3).map { BulkFile(path: path("bulk \($0).txt"), contents: Data("file \($0)".utf8)) }
        for result in try await bulk.writeFiles(files, overwrite: false) { _ = try result.get() }
        for number in 1...3 { try await require("file \(number)", at: path("bulk \(number).txt")) }
        return nil
    }
}
