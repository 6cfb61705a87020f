import FerryCore
import Foundation

/// A point in a drive's history: the link that the service gave, and what this process knew then.
struct OneDriveAnchor: Sendable, Hashable {
    /// The link to the changes after it, which is followed as it is.
    let link: String

    /// The moment in the life of what is known about places.
    let moment: KnownItems.Moment

    /// The time by the service's clock, in whole seconds; `nil` if the service does not tell it.
    let time: Date?
}

extension OneDriveAnchor {
    /// Reads an anchor that was written down.
    ///
    /// - Parameter anchor: The anchor.
    init?(_ anchor: ChangeAnchor) {
        let parts = anchor.token.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let version = Int(parts[1]), let time = Int64(parts[2]), !parts[3].isEmpty else {
            return nil
        }
        link = String(parts[3])
        moment = KnownItems.Moment(memory: String(parts[0]), version: version)
        self.time = time == 0 ? nil : Date(timeIntervalSince1970: Double(time))
    }

    /// The anchor as it is written down.
    var written: ChangeAnchor {
        let seconds = time.map { Int64($0.timeIntervalSince1970.rounded(.down)) } ?? 0
        return ChangeAnchor(token: "\(moment.memory) \(moment.version) \(seconds) \(link)")
    }
}
