/// The programs that take part, by path.
struct Programs: Sendable {
    let ferry: String
    let measurements: String

    /// `nil` if it isn't there: its rows then have no peer.
    let rclone: String?

    /// `nil` if it isn't there.
    let rsync: String?

    /// `nil` if it isn't there.
    let lftp: String?

    /// `nil` if it isn't there: there is no row for photos then.
    let vipsthumbnail: String?

    /// `ferry-cloudlab`, which emulates cloud services; `nil` if it isn't there.
    let cloudLab: String?
}
