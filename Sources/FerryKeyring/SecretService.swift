import Foundation

/// The desktop's keyring, as freedesktop.org's Secret Service API 0.2 describes it; its calls block.
final class SecretService: Sendable {
    private static let name = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    /// How long a person may take to type a password.
    private static let promptSeconds = 120

    private let bus: DBusConnection
    private let session: String

    /// Begins a session, whose secrets travel as they are: the bus is this machine's, and ours.
    init(bus: DBusConnection) throws {
        self.bus = bus
        let answer = try bus.call(
            Self.name,
            Self.root,
            "org.freedesktop.Secret.Service",
            "OpenSession",
            [.string("plain"), .variant(.string(""))]
        )
        session = try Self.path(answer, at: 1)
        bus.watch("type='signal',interface='org.freedesktop.Secret.Prompt',member='Completed'")
    }

    /// Indicates whether the keyring is still there.
    var isConnected: Bool { bus.isConnected }

    /// The secret of the item with these attributes; `nil` if there is none.
    func secret(_ attributes: [String: String]) throws -> Data? {
        guard let item = try unlockedItems(attributes).first else { return nil }
        let answer = try bus.call(Self.name, item, "org.freedesktop.Secret.Item", "GetSecret", [.path(session)])
        // Session, parameters, value, content type.
        guard case .structure(let parts)? = answer.first, parts.count == 4, case .bytes(let data) = parts[2] else {
            throw Self.nonsense
        }
        return data
    }

    /// Keeps a secret, in the place of the one with the same attributes.
    func store(_ secret: Data, label: String, _ attributes: [String: String]) throws {
        let collection = try collection()
        let properties: [DBusValue: DBusValue] = [
            .string("org.freedesktop.Secret.Item.Label"): .variant(.string(label)),
            .string("org.freedesktop.Secret.Item.Attributes"): .variant(Self.dictionary(attributes)),
        ]
        let value: DBusValue = .structure([.path(session), .bytes(Data()), .bytes(secret), .string("text/plain")])
        let answer = try bus.call(
            Self.name,
            collection,
            "org.freedesktop.Secret.Collection",
            "CreateItem",
            [.dictionary("{sv}", properties), value, .flag(true)]
        )
        if try Self.path(answer, at: 0) == "/" { _ = try finish(prompt: Self.path(answer, at: 1)) }
    }

    /// Forgets all secrets with these attributes.
    func remove(_ attributes: [String: String]) throws {
        for item in try unlockedItems(attributes) {
            let answer = try bus.call(Self.name, item, "org.freedesktop.Secret.Item", "Delete")
            _ = try finish(prompt: Self.path(answer, at: 0))
        }
    }

    private func unlockedItems(_ attributes: [String: String]) throws -> [String] {
        let answer = try service("SearchItems", [Self.dictionary(attributes)])
        guard answer.count == 2, let unlocked = answer[0].paths, let locked = answer[1].paths else {
            throw Self.nonsense
        }
        if !locked.isEmpty { try unlock(locked) }
        return unlocked + locked
    }

    /// The default collection, unlocked; it is made if there is none.
    private func collection() throws -> String {
        let known = try Self.path(service("ReadAlias", [.string("default")]), at: 0)
        guard known == "/" else {
            try unlock([known])
            return known
        }
        let label: [DBusValue: DBusValue] = [
            .string("org.freedesktop.Secret.Collection.Label"): .variant(.string("Default"))
        ]
        let answer = try service("CreateCollection", [.dictionary("{sv}", label), .string("default")])
        let made = try Self.path(answer, at: 0)
        if made != "/" { return made }
        guard case .variant(.path(let path)) = try finish(prompt: Self.path(answer, at: 1)) else { throw Self.nonsense }
        return path
    }

    private func unlock(_ paths: [String]) throws {
        let answer = try service("Unlock", [.array("o", paths.map { .path($0) })])
        _ = try finish(prompt: Self.path(answer, at: 1))
    }

    private func service(_ method: String, _ values: [DBusValue]) throws -> [DBusValue] {
        try bus.call(Self.name, Self.root, "org.freedesktop.Secret.Service", method, values)
    }

    /// Has the keyring ask the person, where it wants to.
    private func finish(prompt: String) throws -> DBusValue? {
        guard prompt != "/" else { return nil }
        let interface = "org.freedesktop.Secret.Prompt"
        _ = try bus.call(Self.name, prompt, interface, "Prompt", [.string("")])
        let answer = bus.signal("Completed", interface, path: prompt, seconds: Self.promptSeconds)
        guard let answer, answer.count == 2, answer[0].flag == false else {
            throw DBusError(name: "org.freedesktop.Secret.Error.IsLocked", message: "the keyring was not unlocked")
        }
        return answer[1]
    }

    private static func dictionary(_ pairs: [String: String]) -> DBusValue {
        .dictionary(
            "{ss}",
            Dictionary(uniqueKeysWithValues: pairs.map { (DBusValue.string($0.key), DBusValue.string($0.value)) })
        )
    }

    private static func path(_ answer: [DBusValue], at index: Int) throws -> String {
        guard index < answer.count, let path = answer[index].path else { throw nonsense }
        return path
    }

    private static var nonsense: DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.InvalidSignature", message: "the keyring's answer makes no sense")
    }
}
