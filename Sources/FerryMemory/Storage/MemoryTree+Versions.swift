import FerryCore
import Foundation

extension MemoryTree {
    private func file(_ path: ItemPath) throws -> MemoryNode {
        let node = try find(path, followingLink: true)
        guard node.isFile else { throw CocoaError.isAFolder(path) }
        return node
    }

    func versions(of path: ItemPath) throws -> [FileVersion] {
        try file(path).versions.map(\.version)
    }

    func content(of version: FileVersion, path: ItemPath) throws -> MemoryVersion {
        guard let found = try file(path).versions.first(where: { $0.version.id == version.id }) else {
            throw CocoaError.file(.fileNoSuchFile, path: path, description: "this version is no longer kept")
        }
        return found
    }

    mutating func restore(_ version: FileVersion, of path: ItemPath) throws {
        let old = try content(of: version, path: path)
        let node = try file(path)
        try requireRoom(for: Int64(old.content.count) - Int64(node.content.count), path: path)
        setContent(old.content, of: node.id, modified: old.modified)
        note(.modified, node.id)
    }
}
