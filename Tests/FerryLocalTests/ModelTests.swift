import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Testing

/// Does the same things to local files and to the memory storage, which is the model: they must agree on each outcome.
@Suite("Local files and the model in memory")
struct ModelTests {
    @Test("agree on every outcome and on what is left", arguments: Sweep.seeds(24))
    func agree(seed: UInt64) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-model-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let local = LocalFileProvider(baseURL: folder)
        let memory = MemoryFileProvider()
        var random = SeededGenerator(seed: seed)
        var before: [String] = []
        for _ in 0..<150 {
            let operation = RandomOperation(&random)
            let outcomes = (await operation.outcome(on: local), await operation.outcome(on: memory))
            try #require(outcomes.0 == outcomes.1, "\(operation) in \(before)")
            let trees = (try await picture(of: local), try await picture(of: memory))
            try #require(trees.0 == trees.1, "\(operation) in \(before)")
            before = trees.1
        }
    }

    /// Every item with its type and content.
    private func picture(of provider: some FileProvider & FileProviderSymbolicLink) async throws -> [String] {
        var lines: [String] = []
        for try await file in provider.searchFiles(path: "/", recursive: true, query: .all) {
            let content =
                switch file.type {
                case .file: String(decoding: try await provider.contents(path: file.path), as: UTF8.self)
                case .symlink: "-> " + (try await provider.destination(ofSymbolicLink: file.path))
                default: "\(file.type)"
                }
            lines.append("\(file.path) \(content)")
        }
        return lines.sorted()
    }
}

/// One thing to do, on paths that often meet.
private enum RandomOperation: CustomStringConvertible {
    case createFolder(ItemPath, parents: Bool)
    case write(ItemPath, String, overwrite: Bool)
    case move(ItemPath, ItemPath, overwrite: Bool)
    case copy(ItemPath, ItemPath, overwrite: Bool)
    case remove(ItemPath)
    case link(ItemPath, String)
    case read(ItemPath)
    case list(ItemPath)
    case attributes(ItemPath)

    init(_ random: inout SeededGenerator) {
        func path() -> ItemPath {
            (0..<Int.random(in: 1...3, using: &random)).reduce(.root) { path, _ in
                path.appending(["a", "b", "c", "é", "e\u{301}"].randomElement(using: &random) ?? "a")
            }
        }
        let flag = Bool.random(using: &random)
        self =
            switch Int.random(in: 0..<16, using: &random) {
            case 0...2: .createFolder(path(), parents: flag)
            case 3...5: .write(path(), "\(random.next())", overwrite: flag)
            case 6...8: .move(path(), path(), overwrite: flag)
            case 9...11: .copy(path(), path(), overwrite: flag)
            case 12: .remove(path())
            case 13: .link(path(), ["a", "b/c", "../a", "gone", "../../.."].randomElement(using: &random) ?? "a")
            case 14: flag ? .read(path()) : .list(path())
            default: .attributes(path())
            }
    }

    /// Returns what came of it: a result, or the kind of error.
    func outcome(on provider: some FileProvider & FileProviderSymbolicLink) async -> String {
        do {
            switch self {
            case .createFolder(let path, let parents):
                try await provider.create(folder: path.lastName, at: path.parent, creatingParents: parents)
            case .write(let path, let text, let overwrite):
                try await provider.writeContents(path: path, contents: Data(text.utf8), overwrite: overwrite)
            case .move(let path, let target, let overwrite):
                try await provider.moveItem(path: path, to: target, overwrite: overwrite)
            case .copy(let path, let target, let overwrite):
                try await provider.copyItem(path: path, to: target, overwrite: overwrite)
            case .remove(let path): try await provider.removeItem(path: path)
            case .link(let path, let text): try await provider.create(symbolicLink: path, withDestination: text)
            case .read(let path): return String(decoding: try await provider.contents(path: path), as: UTF8.self)
            case .list(let path):
                return try await provider.contentsOfDirectory(path: path).map(\.path.string).sorted().description
            case .attributes(let path): return "\(try await provider.attributesOfItem(path: path).type)"
            }
            return "done"
        } catch let error as CocoaError {
            return "CocoaError \(error.code.rawValue)"
        } catch {
            return "\(error)"
        }
    }

    var description: String {
        switch self {
        case .createFolder(let path, let parents): "mkdir \(parents ? "-p " : "")\(path)"
        case .write(let path, _, let overwrite): "write \(overwrite ? "-f " : "")\(path)"
        case .move(let path, let target, let overwrite): "mv \(overwrite ? "-f " : "")\(path) \(target)"
        case .copy(let path, let target, let overwrite): "cp \(overwrite ? "-f " : "")\(path) \(target)"
        case .remove(let path): "rm \(path)"
        case .link(let path, let text): "ln -s \(text) \(path)"
        case .read(let path): "cat \(path)"
        case .list(let path): "ls \(path)"
        case .attributes(let path): "stat \(path)"
        }
    }
}
