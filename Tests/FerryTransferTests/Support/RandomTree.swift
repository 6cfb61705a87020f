import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import NIOCore

/// A tree in memory, as paths and what they hold: a file's bytes, a link's text, or nothing for a folder.
enum TreeContent: Hashable, CustomStringConvertible {
    case folder
    case file(Data)
    case link(String)

    var description: String {
        switch self {
        case .folder: "folder"
        case .file(let data): "file of \(data.count) (\(data.first ?? 0))"
        case .link(let text): "link to \(text)"
        }
    }

    /// All that is below a folder.
    static func all(of storage: some FileProviderReadWrite, below top: ItemPath) async throws -> [ItemPath: TreeContent]
    {
        var contents: [ItemPath: TreeContent] = [:]
        for try await element in TreeWalk(storage, path: top) {
            switch element {
            case .failure(let error, _): throw error
            case .page(let items, _):
                for item in items {
                    let path = item.path.relative(to: top) ?? item.path
                    switch item.type {
                    case .directory: contents[path] = .folder
                    case .symlink: contents[path] = .link(item.extras[.linkDestination] ?? "")
                    default: contents[path] = .file(try await storage.contents(path: item.path))
                    }
                }
            }
        }
        return contents
    }

    /// Makes a random tree: some folders, files and links, of which some have the same names in another seed.
    static func grow(
        in storage: MemoryFileProvider,
        below top: ItemPath,
        using numbers: inout SeededGenerator,
        count: Int,
        dates: ClosedRange<Int> = 1...5
    ) async throws {
        var folders = [top]
        if await (try? storage.attributesOfItem(path: top)) == nil {
            try await storage.create(folder: top.lastName, at: top.parent, creatingParents: true)
        }
        for _ in 0..<count {
            guard let parent = folders.randomElement(using: &numbers) else { return }
            let name = ["a", "b", "c", "d", "ä", "x y", "%", "log.o"].randomElement(using: &numbers) ?? "a"
            let path = parent.appending(name)
            if await (try? storage.attributesOfItem(path: path)) != nil { continue }
            switch UInt8.random(in: 0..<10, using: &numbers) {
            case 0..<3:
                try await storage.create(folder: name, at: parent)
                folders.append(path)
            case 3: try await storage.create(symbolicLink: path, withDestination: "a")
            default:
                let size = Int.random(in: 0..<300, using: &numbers)
                let byte = UInt8.random(in: 1...255, using: &numbers)
                let data = Data(repeating: byte, count: size)
                var options = WriteOptions()
                options.modifiedDate = Date(timeIntervalSince1970: Double(Int.random(in: dates, using: &numbers)))
                let stream = AsyncStream<ByteBuffer> { continuation in
                    if size > 0 { continuation.yield(ByteBuffer(bytes: data)) }
                    continuation.finish()
                }
                try await storage.writeStream(
                    path: path,
                    contents: stream,
                    length: Int64(size),
                    options: options,
                    reporting: nil
                )
            }
        }
    }
}
