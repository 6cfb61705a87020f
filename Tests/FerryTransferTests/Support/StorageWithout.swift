import FerryCore
import Foundation
import NIOCore

/// A storage in memory that lacks something.
struct StorageWithout<Base: FileProviderBasic>: FileProviderWrapper {
    /// The abilities that a storage may lack, and the operations that it may refuse.
    enum Ability: Sendable, Hashable {
        /// Dates are those of the writing.
        case dates
        /// `a` and `A` are one name.
        case caseSensitivity
        /// `:` and `?` can't be in names, which have 20 bytes at most.
        case oddNames
        /// Copies pass through here.
        case copying
        /// A write replaces whatever is there by then.
        case conditions
        /// Names that begin with a dot are there, and never listed.
        case dotNames
        /// The targets of links are not known.
        case linkTargets
    }

    let base: Base
    let lacks: Set<Ability>

    init(_ lacks: Ability..., base: Base) {
        self.base = base
        self.lacks = Set(lacks)
    }

    init(_ lacks: Ability, _ base: Base) {
        self.base = base
        self.lacks = [lacks]
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        if lacks.contains(.dates) {
            capabilities.setsModifiedDate = false
            capabilities.datePrecision = .seconds(1)
        }
        if lacks.contains(.caseSensitivity) { capabilities.isCaseSensitive = false }
        if lacks.contains(.oddNames) {
            capabilities.forbiddenCharacters = ":?"
            capabilities.maximumNameLength = 20
        }
        if lacks.contains(.copying) { capabilities.copiesOnServer = false }
        if lacks.contains(.conditions) { capabilities.writesConditionally = false }
        if lacks.contains(.dotNames) { capabilities.listsDotNames = false }
        return capabilities
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        guard !lacks.isDisjoint(with: [.dotNames, .linkTargets]) else { return base.directoryListing(path: path) }
        return DirectoryListing.paged { [base, lacks] (_: Int?) in
            var items = try await base.contentsOfDirectory(path: path)
            if lacks.contains(.dotNames) { items.removeAll { $0.name.hasPrefix(".") } }
            if lacks.contains(.linkTargets) {
                for index in items.indices { items[index].extras[.linkDestination] = nil }
            }
            return (items, nil)
        }
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let path = call.target ?? call.path
        if lacks.contains(.oddNames), call.method.changesStorage,
            path.lastName.utf8.count > 20 || path.lastName.contains(where: { ":?".contains($0) })
        {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path)
        }
        if lacks.contains(.caseSensitivity), [.writeStream, .createFolder].contains(call.method) {
            let names = try await base.contentsOfDirectory(path: path.parent).map(\.name)
            let name = path.lastName
            if names.contains(where: { $0.lowercased() == name.lowercased() && $0 != name }) {
                throw CocoaError.file(.fileWriteFileExists, path: path)
            }
        }
        return try await body()
    }
}

extension StorageWithout where Base: FileProviderReadWriteProgressive {
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        var options = options
        if lacks.contains(.dates) { options.modifiedDate = nil }
        return try await pass(FileProviderCall(.writeStream, path: path)) { [options] in
            try await base.writeStream(
                path: path,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
    }
}

extension StorageWithout: FileProviderOperations where Base: FileProviderOperations {}
extension StorageWithout: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension StorageWithout: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
