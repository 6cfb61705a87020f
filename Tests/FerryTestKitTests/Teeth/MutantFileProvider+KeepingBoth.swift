import FerryCore
import FerryMemory
import Foundation
import NIOCore

extension MutantFileProvider {
    func copyItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        if flaw == .replacesToKeepBoth {
            try await base.copyItem(path: path, to: target, overwrite: true)
            return try await base.attributesOfItem(path: target)
        }
        return misnamed(try await base.copyItem(path: path, keepingBothAt: target, reporting: progress), target)
    }

    func moveItem(
        path: ItemPath,
        keepingBothAt target: ItemPath,
        reporting progress: Progress?
    ) async throws -> FileObject {
        if flaw == .replacesToKeepBoth {
            try await base.moveItem(path: path, to: target, overwrite: true)
            return try await base.attributesOfItem(path: target)
        }
        return misnamed(try await base.moveItem(path: path, keepingBothAt: target, reporting: progress), target)
    }

    func createFolder(keepingBothAt path: ItemPath) async throws -> FileObject {
        misnamed(try await base.createFolder(keepingBothAt: path), path)
    }

    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        keepingBothAt path: ItemPath,
        contents: Contents,
        length: Int64?,
        modifiedDate: Date?,
        reporting progress: Progress?
    ) async throws -> FileObject where Contents.Element == ByteBuffer {
        if flaw == .replacesToKeepBoth {
            let options = WriteOptions(overwrite: true)
            try await base.writeStream(path: path, contents: contents, length: length, options: options)
            return try await base.attributesOfItem(path: path)
        }
        let item = try await base.writeStream(
            keepingBothAt: path,
            contents: contents,
            length: length,
            modifiedDate: modifiedDate,
            reporting: progress
        )
        return misnamed(item, path)
    }

    /// The item as if it had the name that was asked for.
    private func misnamed(_ item: FileObject, _ path: ItemPath) -> FileObject {
        guard flaw == .misnamesWhatKeepsBoth else { return item }
        var item = item
        item.path = path
        return item
    }
}
