import FerryCore
import Foundation

/// The facts that a server tells of itself in its OCS capabilities, as far as they matter for files.
///
/// A fact that a server leaves out is `nil`, or what is true where nobody says otherwise.
public struct NextcloudServerFacts: Sendable, Hashable, Codable {
    /// The server's maker.
    public enum Product: String, Sendable, Hashable, Codable {
        /// Nextcloud.
        case nextcloud
        /// ownCloud 10, in PHP.
        case ownCloud
        /// ownCloud Infinite Scale, and what came of it.
        case infiniteScale
    }

    /// Its maker.
    public var product = Product.nextcloud
    /// Such as `32.0.1`.
    public var version: String?
    /// Bytes that a chunk of an upload should have at most.
    public var maximumChunkSize: Int64?
    /// Chunks that the server likes to get at the same time.
    public var parallelChunks: Int?
    /// Indicates whether chunked uploads (version 2) are possible.
    public var takesChunks = true
    /// Indicates whether many small files can be sent in one request.
    public var takesBulk = false
    /// Indicates whether what is removed goes into a trash.
    public var hasTrash = true
    /// Indicates whether earlier contents of files are kept.
    public var hasVersions = true
    /// Indicates whether public links can be made.
    public var makesLinks = true
    /// Indicates whether a public link must have a password.
    public var linksNeedPassword = false
    /// Names that no item can have, in lower case.
    public var forbiddenNames: [String] = [".htaccess"]
    /// Characters that no name can have.
    public var forbiddenCharacters = "\\"
    /// Ends that no name can have, in lower case, with their dots.
    public var forbiddenExtensions: [String] = [".part", ".filepart"]

    /// Assumes a usual server.
    public init() {}

    init(_ data: OCSValue) {
        let capabilities = data["capabilities"]
        let version = data["version"]
        self.version = version["string"].text
        product = Self.product(capabilities, version)
        let files = capabilities["files"]
        let upload = files["chunked_upload"]
        maximumChunkSize = (upload["max_size"].integer ?? files["tus_support"]["max_chunk_size"].integer)
            .flatMap { $0 > 0 ? $0 : nil }
        parallelChunks = upload["max_parallel_count"].integer.map { Int(clamping: max(1, $0)) }
        // Infinite Scale has another way of its own for large files (tus.io).
        takesChunks = product != .infiniteScale && capabilities["dav"]["chunking"].text != nil
        takesBulk = product == .nextcloud && capabilities["dav"]["bulkupload"].text != nil
        hasTrash = files["undelete"].flag ?? false
        hasVersions = files["versioning"].flag ?? false
        let sharing = capabilities["files_sharing"]
        makesLinks = (sharing["api_enabled"].flag ?? false) && (sharing["public"]["enabled"].flag ?? true)
        linksNeedPassword = sharing["public"]["password"]["enforced"].flag ?? false
        readForbidden(files)
    }

    private static func product(_ capabilities: OCSValue, _ version: OCSValue) -> Product {
        let status = capabilities["core"]["status"]
        let name = (status["productname"].text ?? status["product"].text ?? version["product"].text ?? "").lowercased()
        if name.contains("infinite") || name.contains("opencloud") { return .infiniteScale }
        if !capabilities["files"]["tus_support"].members.isEmpty { return .infiniteScale }
        if name.contains("owncloud") { return .ownCloud }
        // Nextcloud counts from 11; ownCloud stopped at 10.
        return (version["major"].integer ?? 11) <= 10 ? .ownCloud : .nextcloud
    }

    private mutating func readForbidden(_ files: OCSValue) {
        let names = files["forbidden_filenames"].items.compactMap(\.text)
        if !names.isEmpty { forbiddenNames = names.map { $0.lowercased() } }
        let characters = files["forbidden_filename_characters"].items.compactMap(\.text)
        if !characters.isEmpty { forbiddenCharacters = characters.filter { $0 != "/" }.joined() }
        let extensions = files["forbidden_filename_extensions"].items.compactMap(\.text)
        if !extensions.isEmpty { forbiddenExtensions = extensions.map { $0.lowercased() } }
    }

    /// Why the server would answer 400 to a name, without asking it.
    ///
    /// - Parameter name: The name.
    /// - Returns: The reason in words; `nil` if nothing is known to speak against it.
    func problem(withName name: some StringProtocol) -> String? {
        var traits = WebDAVTraits()
        traits.forbiddenCharacters = forbiddenCharacters
        traits.maximumNameLength = 250
        if let problem = traits.problem(withName: name) { return problem }
        let lower = name.lowercased()
        if forbiddenNames.contains(lower) { return "the server keeps the name for itself" }
        if let end = forbiddenExtensions.first(where: { lower.hasSuffix($0) }) {
            return "the server takes no names that end in \(end)"
        }
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        return isBlank ? "the server takes no names of white space only" : nil
    }

    /// All characters that no name can have, control characters among them.
    var allForbiddenCharacters: String {
        var traits = WebDAVTraits()
        traits.forbiddenCharacters = forbiddenCharacters
        return traits.allForbiddenCharacters
    }
}
