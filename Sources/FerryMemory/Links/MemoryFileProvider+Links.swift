public import FerryCore
import Foundation

extension MemoryFileProvider: FileProviderSymbolicLink {
    /// Makes a symbolic link; an absolute destination counts from the storage's root.
    public func create(symbolicLink path: ItemPath, withDestination destination: String) async throws {
        try change { tree, now in try tree.createLink(path, destination: destination, now: now) }
    }

    /// The text of a symbolic link.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> String {
        try read { tree in
            guard case .link(let destination) = try tree.find(path).kind else { throw CocoaError.notALink(path) }
            return destination
        }
    }
}
