import FerryCore
import Foundation

@testable import FerryLocal

/// The items that somebody who was told all changes believes to be in a folder.
struct WatchedModel {
    /// An item; its token tells its content from every other, and is `nil` for what must be read anew.
    private final class Node {
        var children: [String: Node] = [:]
        var token: String?

        init(token: String?) { self.token = token }
    }

    private let top = Node(token: nil)
    private let files: LocalFileProvider

    /// How often something had to be listed again.
    private(set) var rescans = 0
    /// How many changes were told.
    private(set) var count = 0

    /// Looks at what is there.
    init(of files: LocalFileProvider) async throws {
        self.files = files
        try await list("/", into: top)
    }

    /// Applies a change.
    mutating func apply(_ change: FileChange) async throws {
        count += 1
        switch change.kind {
        case .created: put(Node(token: nil), change.path)
        case .modified: find(change.path)?.token = nil
        case .attributes: break
        case .removed: _ = take(change.path)
        case .moved(let previous): if let node = take(previous) { put(node, change.path) }
        case .rescan:
            rescans += 1
            let node = change.path.isRoot ? top : Node(token: nil)
            node.children = [:]
            if !change.path.isRoot {
                _ = take(change.path)
                guard files.base.exists(change.path) else { return }
                put(node, change.path)
            }
            try await list(change.path, into: node)
        }
    }

    /// How it differs from the disk: no line if it doesn't.
    func differences() async throws -> [String] {
        let disk = Node(token: nil)
        try await list("/", into: disk)
        var lines: [String] = []
        compare(top, disk, "", &lines)
        return lines.sorted()
    }

    /// Every path, sorted.
    var paths: [String] {
        var lines: [String] = []
        func visit(_ node: Node, _ path: String) {
            for (name, child) in node.children {
                lines.append(path + "/" + name)
                visit(child, path + "/" + name)
            }
        }
        visit(top, "")
        return lines.sorted()
    }

    private func compare(_ node: Node, _ disk: Node, _ path: String, _ lines: inout [String]) {
        for name in node.children.keys where disk.children[name] == nil { lines.append("- \(path)/\(name)") }
        for (name, child) in disk.children {
            guard let known = node.children[name] else {
                lines.append("+ \(path)/\(name)")
                continue
            }
            if let token = known.token, token != child.token { lines.append("* \(path)/\(name)") }
            compare(known, child, path + "/" + name, &lines)
        }
    }

    private func list(_ path: ItemPath, into node: Node) async throws {
        let items: [FileObject]
        do {
            items = try await files.contentsOfDirectory(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadUnknown {
            return  // it is gone, or a file: changes will say so
        }
        for item in items {
            let child = Node(token: item.eTag)
            node.children[String(item.path.lastComponent)] = child
            if item.isDirectory { try await list(item.path, into: child) }
        }
    }

    private func find(_ path: ItemPath) -> Node? {
        path.components.reduce(top as Node?) { $0?.children[String($1)] }
    }

    private func put(_ node: Node, _ path: ItemPath) {
        find(path.parent)?.children[String(path.lastComponent)] = node
    }

    private func take(_ path: ItemPath) -> Node? {
        find(path.parent)?.children.removeValue(forKey: String(path.lastComponent))
    }
}
