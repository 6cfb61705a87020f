import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation

/// The observations of a real server's abilities.
struct ServerObservations: Sendable {
    /// The name by which people know it.
    let name: String
    /// In the order of the guide's table.
    let facts: [(what: String, answer: String)]

    /// Looks at a server.
    init(of kind: RealServerKind) async throws {
        name =
            switch kind {
            case .apache: "Apache mod_dav"
            case .nginx: "nginx dav-ext"
            case .lighttpd: "lighttpd"
            case .wsgidav: "WsgiDAV"
            case .rclone: "rclone serve"
            }
        let logins = try await RealServer.shared(kind).endpoints.filter { !$0.isSecure }.map(
            \.login.rawValue.capitalized
        )
        facts = try await withRealStage(kind) { stage in
            let files = stage.provider
            let capabilities = files.capabilities
            return [
                ("logins", logins.joined(separator: ", ")),
                ("a write replaces a file in one step", try await Self.replacing(stage)),
                (
                    "a new file can't take another's place, even at the same moment",
                    Self.sign(capabilities.createsExclusively)
                ),
                ("a write can depend on the eTag", Self.sign(capabilities.writesConditionally)),
                ("eTags", Self.sign(try await Self.item(stage).eTag != nil)),
                ("created dates", Self.sign(try await Self.item(stage).creationDate != nil)),
                ("modified dates can be set", Self.sign(capabilities.setsModifiedDate)),
                ("a part of a file is read without the rest", Self.sign(capabilities.readsRanges)),
                ("copies happen on the server", Self.sign(capabilities.copiesOnServer)),
                ("locks", try await Self.locking(stage)),
                ("room on the storage is told", Self.sign(try await Self.tellsRoom(stage))),
                ("hidden names are listed", Self.sign(try await Self.listsHidden(stage))),
                ("longest name, in bytes", capabilities.maximumNameLength.map(String.init) ?? "–"),
                ("control characters in names", Self.sign(!capabilities.forbiddenCharacters.contains("\u{1}"))),
            ]
        }
    }

    private static func sign(_ isSo: Bool) -> String { isSo ? "✓" : "–" }

    /// A file that is some seconds old: before, an eTag of whole seconds is none.
    private static func item(_ stage: RealStage) async throws -> FileObject {
        try stage.place.setModifiedDate(Date(timeIntervalSinceNow: -60), of: "replaced")
        return try await stage.provider.attributesOfItem(path: "/replaced")
    }

    /// Returns whether a file is replaced by one `PUT`, or by way of another name.
    private static func replacing(_ stage: RealStage) async throws -> String {
        let files = stage.provider
        try await files.writeContents(path: "/replaced", contents: Data("old".utf8))
        stage.recording.forget()
        try await files.writeContents(path: "/replaced", contents: Data("new".utf8), overwrite: true)
        guard files.capabilities.writesAtomically else { return "–" }
        return stage.lines.contains("PUT replaced") ? "✓ by itself" : "✓ by a temporary name"
    }

    private static func locking(_ stage: RealStage) async throws -> String {
        let locking: any FileProviderLocking = stage.provider
        var scopes: [String] = []
        for scope in [FileLockOptions.Scope.exclusive, .shared] {
            do {
                let lock = try await locking.lock(path: "/replaced", options: FileLockOptions(scope: scope))
                try await locking.unlock(lock)
                // nginx grants another than was asked for.
                if lock.scope == scope { scopes.append(scope.rawValue) }
            } catch let error as CocoaError where error.code == .featureUnsupported {
                continue
            }
        }
        return scopes.isEmpty ? "–" : scopes.joined(separator: ", ")
    }

    private static func tellsRoom(_ stage: RealStage) async throws -> Bool {
        try await stage.provider.storageProperties().availableCapacity != nil
    }

    private static func listsHidden(_ stage: RealStage) async throws -> Bool {
        try stage.place.write(Data("x".utf8), to: ".hidden")
        return try await stage.provider.contentsOfDirectory(path: "/").contains { $0.name == ".hidden" }
    }
}
