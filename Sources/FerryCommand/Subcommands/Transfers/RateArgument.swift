import ArgumentParser
import FerryTransfer

/// How fast bytes may pass, as a person writes it: `10M`, `1M:off`, `08:00,512K 18:00,off`.
struct RateArgument: ExpressibleByArgument {
    /// The library's value for it.
    let limit: BandwidthLimit

    init?(argument: String) {
        guard let limit = BandwidthLimit(argument) else { return nil }
        self.limit = limit
    }
}
