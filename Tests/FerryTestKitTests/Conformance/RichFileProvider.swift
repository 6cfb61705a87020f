import FerryCore
import Foundation
import Synchronization
import Testing

/// A provider with what memory has no meaning for: URLs, a configuration, public links, pictures, undo.
///
/// It is here so that the rules about these are tried by somebody.
final class RichFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    private struct State {
        var links: [ShareLink] = []
        var done: [FileOperationType] = []
        var undone: [FileOperationType] = []
    }

    let base: Base
    private let state = Mutex(State())

    /// The mistake of making all links for anybody, which the answer hides, or shows; `nil` not to make it.
    enum Widening: Sendable, CaseIterable {
        case silently, openly
    }

    private let widensLinks: Widening?

    init(_ base: Base, wideningLinks: Widening? = nil) {
        self.base = base
        widensLinks = wideningLinks
    }

    var baseURL: URL? { URL(string: "https://example.com/base/") }
    var credential: FileProviderCredential? { FileProviderCredential(user: "me", secret: .password("hunter2")) }

    func url(of path: ItemPath) -> URL? { ItemURL.url(of: path, on: self) }

    func relativePath(of url: URL) -> ItemPath? { ItemURL.path(of: url, on: self) }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let result = try await body()
        let operation: FileOperationType? =
            switch call.method {
            case .createFolder: .create(path: call.path)
            case .copyItem: call.target.map { .copy(source: .item(call.path), destination: .item($0)) }
            case .moveItem: call.target.map { .move(source: call.path, destination: $0) }
            default: nil
            }
        if let operation { state.withLock { $0.done.append(operation) } }
        return result
    }
}

/// The forms of `FileProviderBasic`, which a wrapper replaces by its base's.
private struct ItemURL: FileProviderBasic {
    static let type = "url"
    let baseURL: URL?
    let credential: FileProviderCredential? = nil
    let capabilities = FileProviderCapabilities()
    let environment: FileProviderEnvironment

    static func url(of path: ItemPath, on provider: some FileProviderBasic) -> URL? {
        ItemURL(baseURL: provider.baseURL, environment: provider.environment).url(of: path)
    }

    static func path(of url: URL, on provider: some FileProviderBasic) -> ItemPath? {
        ItemURL(baseURL: provider.baseURL, environment: provider.environment).relativePath(of: url)
    }

    func directoryListing(path: ItemPath) -> DirectoryListing { DirectoryListing { { nil } } }
    func attributesOfItem(path: ItemPath) async throws -> FileObject { throw CocoaError.noSuchItem(path) }
    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}

extension RichFileProvider: ConfigurableFileProvider {
    var configuration: ProviderConfiguration {
        ProviderConfiguration(type: Self.type, baseURL: baseURL, user: credential?.user)
    }
}

extension RichFileProvider: FileProviderSharing {
    func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink {
        _ = try await base.attributesOfItem(path: path)
        guard options.password == nil else { throw CocoaError.unsupported("a password", path: path) }
        let id = UUID().uuidString
        let url = try #require(URL(string: "https://example.com/s/\(id)"))
        func link(_ scope: ShareScope) -> ShareLink {
            ShareLink(id: id, path: path, url: url, access: options.access, expires: options.expires, scope: scope)
        }
        let wanted = options.scope ?? .anyone
        guard let widensLinks else {
            guard wanted != .invited else { throw CocoaError.unsupported("a link for these people", path: path) }
            state.withLock { $0.links.append(link(wanted)) }
            return link(wanted)
        }
        state.withLock { $0.links.append(link(.anyone)) }
        return link(widensLinks == .silently ? wanted : .anyone)
    }

    func publicLinks(to path: ItemPath?) async throws -> [ShareLink] {
        state.withLock { $0.links.filter { path == nil || $0.path == path } }
    }

    func revoke(_ link: ShareLink) async throws {
        let isKnown = state.withLock { state in
            defer { state.links.removeAll { $0.id == link.id } }
            return state.links.contains { $0.id == link.id }
        }
        guard isKnown else { throw CocoaError.noSuchItem(link.path) }
    }
}

/// Each PNG file is its own picture; those of many files are asked for one by one.
extension RichFileProvider: ExtendedFileProvider where Base: FileProviderReadWrite {
    func thumbnailOfFileSupported(path: ItemPath) -> Bool { path.pathExtension == "png" }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        guard thumbnailOfFileSupported(path: path) else { throw CocoaError.unsupported("a picture", path: path) }
        return Thumbnail(data: try await base.contents(path: path, reporting: nil), contentType: "image/png")
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        throw CocoaError.unsupported("properties", path: path, isPlural: true)
    }
}

extension RichFileProvider: FileProviderUndoable where Base: FileProviderOperations {
    func canUndo(operation: FileOperationType) -> Bool { operation.inverse != nil }
    var canUndo: Bool { state.withLock { !$0.done.isEmpty } }
    var canRedo: Bool { state.withLock { !$0.undone.isEmpty } }

    func undo() async throws {
        guard let operation = state.withLock({ $0.done.popLast() }), let inverse = operation.inverse else { return }
        try await perform(inverse)
        state.withLock { $0.undone.append(operation) }
    }

    func redo() async throws {
        guard let operation = state.withLock({ $0.undone.popLast() }) else { return }
        try await perform(operation)
        state.withLock { $0.done.append(operation) }
    }

    private func perform(_ operation: FileOperationType) async throws {
        switch operation {
        case .create(let path): try await base.create(folder: path.lastName, at: path.parent)
        case .copy(.item(let source), .item(let target)): try await base.copyItem(path: source, to: target)
        case .move(let source, let target): try await base.moveItem(path: source, to: target)
        case .remove(let path): try await base.removeItem(path: path)
        case .copy, .modify, .link, .fetch: throw CocoaError.unsupported("undoing this", path: .root)
        }
    }
}

extension RichFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension RichFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension RichFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension RichFileProvider: FileProviderTrash where Base: FileProviderTrash {}
