import FerryCrypto
import Foundation

/// A real server's own folder, which its watchdog removes.
///
/// It holds what the server serves (`root`) and writes (`var`, `up`), who may log in, and its certificates.
struct ServerFolder: Sendable {
    static let user = "ferry"
    static let password = "s3cret"
    static let realm = "ferry"
    /// The password as `crypt` keeps it (SHA-512).
    static let passwordHash =
        "$6$ferryferry$gGYxhEXnVoqAA1iiG0LgExucEJ4UtQ.x0dvqbviT37fYxs13JNyd1reJJVSbA8Y6azZjt5WrJTb6SshK20ulO."

    let path: String
    /// The server's user, if it drops root: what tests make for it is that user's.
    let owner: ServerOwner?

    /// Makes the folder, with the accounts.
    init(owner: ServerOwner?) throws {
        let parent = Self.parents.first(where: Self.isOpenToAll) ?? NSTemporaryDirectory()
        path = (parent as NSString).appendingPathComponent("ferry-server-\(UUID().uuidString)")
        self.owner = owner
        for folder in ["", "root", "root/digest", "var", "up"] {
            try FileManager.default.createDirectory(
                atPath: self.path(folder),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755]
            )
            if !folder.isEmpty { owner?.own(self.path(folder)) }
        }
        let hash = Data(HashAlgorithm.sha1.hash(Data(Self.password.utf8))).base64EncodedString()
        try write("\(Self.user):{SHA}\(hash)\n", to: "basic")
        let secret = Data("\(Self.user):\(Self.realm):\(Self.password)".utf8)
        let digest = HashAlgorithm.md5.hash(secret).hexadecimal
        try write("\(Self.user):\(Self.realm):\(digest)\n", to: "digest")
    }

    /// The path of something in it.
    func path(_ name: String) -> String {
        name.isEmpty ? path : path + "/" + name
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// The ends of all its logs.
    func logTail(lines: Int = 40) -> String {
        let logs = (try? FileManager.default.contentsOfDirectory(atPath: path("var"))) ?? []
        return logs.filter { $0.hasSuffix(".log") }.sorted().compactMap { name in
            let data = FileManager.default.contents(atPath: path("var/\(name)")) ?? Data()
            guard !data.isEmpty else { return nil }
            let text = String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(lines)
            return "\(name):\n" + text.joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    private static let parents = [NSTemporaryDirectory(), "/tmp", "/var/tmp"]

    /// Returns whether a user that a server drops root for may pass to what is in a folder.
    private static func isOpenToAll(_ path: String) -> Bool {
        var path = (path as NSString).resolvingSymlinksInPath as NSString
        while path.length > 1 {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path as String)
            guard let mode = attributes?[.posixPermissions] as? Int, mode & 0o001 != 0 else { return false }
            path = path.deletingLastPathComponent as NSString
        }
        return true
    }
}
