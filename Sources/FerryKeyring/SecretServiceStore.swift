import Dispatch
public import FerryCore
import Foundation
import Synchronization

/// Keeps secrets in the desktop's keyring: GNOME Keyring, KWallet, KeePassXC and others (Secret Service API).
///
/// Nothing is loaded or asked before the first use. A locked keyring asks the person for its password.
public final class SecretServiceStore: CredentialStore {
    private let address: String?
    private let service = Mutex<SecretService?>(nil)
    /// Calls to the bus block: they have a thread of their own.
    private let queue = DispatchQueue(label: "ferry.keyring")

    /// Makes a store on this session's bus.
    public convenience init() {
        self.init(address: ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"])
    }

    /// Makes a store on a bus.
    ///
    /// - Parameter address: Where the bus is, as in `DBUS_SESSION_BUS_ADDRESS`; `nil` for none.
    public init(address: String?) {
        self.address = address.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Indicates whether there is a keyring here.
    public var isAvailable: Bool {
        get async {
            // Why there is none is of no interest: another store is used then.
            (try? await run(.fileReadUnknown) { _ in true }) ?? false
        }
    }

    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    /// - Throws: `CocoaError.fileReadNoPermission` if the keyring stays locked; `.featureUnsupported` where there is none;
    ///   `.fileReadCorruptFile` for an item that is not ours.
    public func credential(for account: String) async throws -> FileProviderCredential? {
        let secret = try await run(.fileReadNoPermission) { try $0.secret(Self.attributes(account)) }
        guard let secret else { return nil }
        do {
            return try JSONDecoder().decode(StoredCredential.self, from: secret).credential
        } catch {
            // The decoder's own error would quote what it read.
            throw CocoaError.file(.fileReadCorruptFile, path: .root, description: "not a secret of ours in the keyring")
        }
    }

    /// Keeps a credential.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    /// - Throws: `CocoaError.fileWriteNoPermission` if the keyring stays locked; `.featureUnsupported` where there is none.
    public func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        let secret = try credential.map { try JSONEncoder().encode(StoredCredential($0)) }
        try await run(.fileWriteNoPermission) { service in
            if let secret {
                try service.store(secret, label: "Ferry: \(account)", Self.attributes(account))
            } else {
                try service.remove(Self.attributes(account))
            }
        }
    }

    private static func attributes(_ account: String) -> [String: String] {
        // A text of D-Bus can't hold a NUL.
        ["application": "ferry", "account": account.replacing("\0", with: "\u{FFFD}")]
    }

    private func run<Result: Sendable>(
        _ code: CocoaError.Code,
        _ body: @escaping @Sendable (SecretService) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Swift.Result { try perform(code, body) })
            }
        }
    }

    private func perform<Result>(_ code: CocoaError.Code, _ body: (SecretService) throws -> Result) throws -> Result {
        do {
            return try body(connected())
        } catch let error as DBusError {
            service.withLock { $0 = nil }
            throw mapped(error, code)
        }
    }

    private func connected() throws -> SecretService {
        if let known = service.withLock({ $0 }), known.isConnected { return known }
        guard let address, let library = DBusLibrary.loaded else {
            throw CocoaError.file(.featureUnsupported, path: .root, description: "there is no keyring here")
        }
        let made = try SecretService(bus: DBusConnection(address: address, library: library))
        service.withLock { $0 = made }
        return made
    }

    private func mapped(_ error: DBusError, _ code: CocoaError.Code) -> CocoaError {
        switch error.name {
        case "org.freedesktop.Secret.Error.IsLocked":
            .file(code, path: .root, description: "the keyring is locked", suggestion: "unlock it")
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NoServer",
            "org.freedesktop.DBus.Error.FileNotFound", "org.freedesktop.DBus.Error.BadAddress",
            "org.freedesktop.DBus.Error.NameHasNoOwner":
            .file(.featureUnsupported, path: .root, description: "there is no keyring here", underlying: error)
        default: .file(code, path: .root, description: "the keyring refused: \(error.message)", underlying: error)
        }
    }
}
