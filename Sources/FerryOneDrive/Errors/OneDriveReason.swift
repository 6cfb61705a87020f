/// The meaning of a refusal, decided by its codes and its status, and never by its words.
enum OneDriveReason: Sendable, Hashable {
    /// There is no such item.
    case noSuchItem
    /// An item of that name is in the way.
    case exists
    /// The item is another than was expected: it has changed meanwhile.
    case changed
    /// This account may not do that.
    case notAllowed
    /// The storage can't be changed.
    case readOnly
    /// The item is locked by somebody.
    case locked
    /// There is not enough space.
    case full
    /// The name or path is not allowed.
    case badName
    /// The file is known to be harmful, and is not given out.
    case harmful
    /// The content is too large.
    case tooLarge
    /// The service can't do that with this item.
    case unsupported
    /// The service wants to be left alone for a while, and has done nothing.
    case busy
    /// The service is overloaded or being maintained, and may have done what was asked.
    case unavailable
    /// A list of changes must be read from its beginning.
    case reset
    /// An upload session is no longer known.
    case sessionGone
    /// The bytes are not those that an upload session waits for.
    case wrongRange
    /// Nothing that is known: the status of the answer counts.
    case status

    private static let meanings: [String: OneDriveReason] = [
        "itemnotfound": .noSuchItem,
        "namealreadyexists": .exists,
        "resourcemodified": .changed, "entitytagdoesnotmatch": .changed,
        "accessdenied": .notAllowed, "accessrestricted": .notAllowed, "notallowed": .notAllowed,
        "serviceresourcelocked": .locked, "resourcelocked": .locked, "locked": .locked, "lockmismatch": .locked,
        "lockownermismatch": .locked,
        "servicereadonly": .readOnly,
        "quotalimitreached": .full, "insufficientstorage": .full,
        "pathistoolong": .badName, "pathistoodeep": .badName, "invalidpath": .badName, "nameinvalid": .badName,
        "invalidname": .badName,
        "malwaredetected": .harmful, "virussuspicious": .harmful,
        "maxfilesizeexceeded": .tooLarge, "maxstreamsizeexceeded": .tooLarge,
        "notsupported": .unsupported,
        "activitylimitreached": .busy, "throttledrequest": .busy, "toomanyrequests": .busy,
        "servicenotavailable": .unavailable,
        "resyncrequired": .reset, "resyncapplydifferences": .reset, "resyncchangesapplydifferences": .reset,
        "resyncchangesuploaddifferences": .reset,
        "uploadsessionnotfound": .sessionGone,
        "fragmentoverlap": .wrongRange, "fragmentoutoforder": .wrongRange, "invalidrange": .wrongRange,
    ]

    /// Finds the meaning.
    ///
    /// - Parameters:
    ///   - codes: The codes of the answer, from the outside in; the innermost that is known decides.
    ///   - status: The status of the answer.
    init(codes: [String], status: Int) {
        if let known = codes.reversed().lazy.compactMap({ Self.meanings[$0.lowercased()] }).first {
            self = known
            return
        }
        self =
            switch status {
            case 412: .changed
            case 416: .wrongRange
            case 423: .locked
            case 429, 509: .busy
            case 503: .unavailable
            case 507: .full
            default: .status
            }
    }

    /// Returns the status that the table of errors knows by this meaning.
    ///
    /// - Parameter status: The status of the answer.
    /// - Returns: The status.
    func statusCode(answered status: Int) -> Int {
        switch self {
        case .noSuchItem: 404
        case .exists: 409
        case .changed: 412
        case .notAllowed, .harmful, .readOnly: 403
        case .locked: 423
        case .full: 507
        case .badName: 400
        case .tooLarge: 413
        case .unsupported: 501
        case .busy: status == 503 ? 503 : 429
        case .unavailable: 503
        case .reset: 410
        case .sessionGone: 404
        case .wrongRange: 416
        case .status: status
        }
    }
}
