import FerryCore

/// Takes names from one storage to another, which may not hold all of them.
///
/// Characters that the target forbids are replaced by look-alikes (see `NameEncoding`), and names so replaced on a
/// storage get back their own characters where that is possible.
struct NameTranslation: Sendable {
    /// Indicates whether every name stays as it is.
    let isIdentity: Bool

    private let source: NameEncoding
    private let target: NameEncoding
    private let forbidden: Set<Unicode.Scalar>
    private let maximumLength: Int?

    init(from source: FileProviderCapabilities, to target: FileProviderCapabilities) {
        let (ours, theirs) = (Self.forbidden(by: source), Self.forbidden(by: target))
        isIdentity = Set(ours.unicodeScalars) == Set(theirs.unicodeScalars)
        self.source = NameEncoding(forbidding: ours)
        self.target = NameEncoding(forbidding: theirs)
        forbidden = Set(theirs.unicodeScalars.filter { !$0.isASCII })
        maximumLength = target.maximumNameLength
    }

    /// A storage can have slashes in names only if paths are not all it knows items by.
    private static func forbidden(by storage: FileProviderCapabilities) -> String {
        let mayHaveSlashes = storage.addressesByIdentifier && storage.forbiddenCharacters.isEmpty
        return storage.forbiddenCharacters + (mayHaveSlashes ? "" : "/\0")
    }

    /// The name that a name of the source stands for.
    func plain(_ name: String) -> String { isIdentity ? name : source.decode(name) }

    /// The name that a name of the target stands for.
    func plain(atTarget name: String) -> String { isIdentity ? name : target.decode(name) }

    /// Returns what an item is called at the target.
    func name(_ plain: String) -> String { isIdentity ? plain : target.encode(plain) }

    /// Returns what an item is called at the source.
    func nameAtSource(_ plain: String) -> String { isIdentity ? plain : source.encode(plain) }

    /// Returns whether the target can hold a name.
    ///
    /// - Parameter name: The name as ``name(_:)`` gives it.
    /// - Returns: `false` where it is too long, or has what can't be replaced.
    func fits(_ name: String) -> Bool {
        if let maximumLength, NameEscape.bytes(ofName: name).count > maximumLength { return false }
        return forbidden.isEmpty || !name.unicodeScalars.contains(where: forbidden.contains)
    }
}
