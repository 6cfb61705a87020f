import FerryMediaWire

/// Why a job can't be done, as the library will hear it.
struct Refusal: Error, Hashable {
    let reason: RefusalReason
    /// A sentence for whoever wanted it.
    let words: String

    init(_ reason: RefusalReason, _ words: String) {
        self.reason = reason
        self.words = words
    }
}
