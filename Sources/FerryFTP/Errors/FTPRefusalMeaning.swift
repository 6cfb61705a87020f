/// The meaning of a refusal, by its code and, since 550 is the code for nearly everything, by its words.
enum FTPRefusalMeaning: Sendable, Hashable {
    case missing
    case denied
    case readOnly
    case exists
    case notAFolder
    case isAFolder
    case full
    case badName
    case unsupported
    case notLoggedIn
    case unavailable
    /// It could be anything.
    case unclear

    init(_ reply: FTPReply) {
        let text = reply.text.lowercased()
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        switch reply.code {
        case 452, 552: self = .full
        case 532, 530, 332: self = .notLoggedIn
        case 426 where says("no space", "quota"): self = .full
        case 421, 425, 426, 522: self = .unavailable
        case 500, 502, 504: self = .unsupported
        default:
            // The last is all that vsftpd says of a full disk.
            if says(
                "no space",
                "quota",
                "disk full",
                "insufficient storage",
                "not enough space",
                "failure writing to local file"
            ) {
                self = .full
            } else if says("read-only", "read only file") {
                self = .readOnly
            } else if says("permission denied", "access denied", "access is denied", "not permitted", "forbidden") {
                self = .denied
            } else if says("not a directory", "not directory", "notdir") {
                self = .notAFolder
            } else if says(
                "no such file",
                "no such directory",
                "not found",
                "does not exist",
                "doesn't exist",
                "cannot find"
            ) {
                self = .missing
            } else if says("is a directory", "not a plain file", "not a regular file", "not retrievable", "not a file")
            {
                self = .isAFolder
            } else if says("exists") {
                self = .exists
            } else if says(
                "name too long",
                "invalid name",
                "invalid filename",
                "invalid directory name",
                "illegal file name",
                "bad filename"
            ) {
                self = .badName
            } else {
                self = .unclear
            }
        }
    }
}
