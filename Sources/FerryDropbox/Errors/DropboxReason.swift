/// The meaning of a refusal, decided by its tags and never by its words.
enum DropboxReason: Sendable, Hashable {
    /// There is nothing at the path: only where the route says so of the path itself.
    case noSuchItem
    /// A file or folder is in the way.
    case exists
    /// A file is in the way of a folder above.
    case fileAbove
    /// A file was expected.
    case notAFile
    /// A folder was expected.
    case notAFolder
    /// This account may not do that.
    case notAllowed
    /// The space that the request names as its root is not there for this account.
    case wrongRoot
    /// The app was not given a permission that the route needs.
    case missingPermission
    /// The item is locked by somebody.
    case locked
    /// There is not enough space.
    case full
    /// The name or path is not allowed.
    case badName
    /// A folder was to be put into itself.
    case intoItself
    /// Too many changes at the same time.
    case busy
    /// A cursor is no longer valid.
    case reset
    /// The content was damaged on its way.
    case damaged
    /// The content is too large.
    case tooLarge
    /// Dropbox can't do that with this item.
    case unsupported
    /// Dropbox has failed.
    case failed
    /// Nothing that is known: the status of the answer counts.
    case status(Int)

    private static let lookups: Set = ["path", "path_lookup", "from_lookup"]

    private static let meanings: [String: DropboxReason] = [
        "not_file": .notAFile, "not_folder": .notAFolder,
        "restricted_content": .notAllowed, "no_write_permission": .notAllowed, "team_folder": .notAllowed,
        "operation_suppressed": .notAllowed, "access_restricted": .notAllowed, "access_denied": .notAllowed,
        "no_permission": .notAllowed, "not_allowed": .notAllowed, "banned_member": .notAllowed,
        "shared_link_access_denied": .notAllowed, "email_not_verified": .notAllowed,
        "cant_transfer_ownership": .notAllowed, "cant_move_shared_folder": .notAllowed,
        "cant_nest_shared_folder": .notAllowed, "cant_copy_shared_folder": .notAllowed,
        "cant_move_into_vault": .notAllowed, "cant_move_into_family": .notAllowed,
        "locked": .locked, "lock_conflict": .locked,
        "insufficient_space": .full, "insufficient_quota": .full,
        "malformed_path": .badName, "disallowed_name": .badName,
        "cant_move_folder_into_itself": .intoItself,
        "too_many_write_operations": .busy, "too_many_requests": .busy,
        "reset": .reset,
        "content_hash_mismatch": .damaged,
        "payload_too_large": .tooLarge, "too_large": .tooLarge,
        "unsupported_content_type": .unsupported, "unsupported_file": .unsupported, "non_exportable": .unsupported,
        "unsupported_extension": .unsupported, "unsupported_image": .unsupported, "encrypted_content": .unsupported,
        "conversion_error": .unsupported, "unsupported_link_type": .unsupported,
        "internal_error": .failed,
    ]

    /// Finds the meaning.
    ///
    /// - Parameters:
    ///   - tags: The tags of the answer's union, from the outside in.
    ///   - status: The status of the answer.
    init(tags: [String], status: Int) {
        guard status == 409 else {
            self =
                switch tags.first {
                case _ where status == 429: .busy
                case "missing_scope": .missingPermission
                // `PathRootError`: the root of the account has changed, or the account may not see the one that is named.
                case "invalid_root", "no_permission": status == 422 ? .wrongRoot : .status(status)
                default: .status(status)
                }
            return
        }
        if let index = tags.firstIndex(of: "conflict"), index + 1 < tags.count {
            self = tags[index + 1] == "file_ancestor" ? .fileAbove : .exists
            return
        }
        if tags.count == 2, Self.lookups.contains(tags[0]), tags[1] == "not_found" {
            self = .noSuchItem
            return
        }
        self = tags.lazy.compactMap { Self.meanings[$0] }.first ?? .status(status)
    }

    /// The status that the table of errors knows by this meaning.
    var statusCode: Int {
        switch self {
        case .noSuchItem: 404
        case .exists, .fileAbove, .notAFile, .notAFolder, .intoItself: 409
        case .notAllowed, .missingPermission, .wrongRoot: 403
        case .locked: 423
        case .full: 507
        case .badName: 400
        case .busy: 429
        // A call that is begun anew gets an answer, as one does that is repeated after a transient failure.
        case .reset: 503
        case .damaged: 409
        case .tooLarge: 413
        case .unsupported: 501
        case .failed: 500
        case .status(let status): status
        }
    }
}
