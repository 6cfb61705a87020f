import FerryCore
import Foundation
import Testing

@Suite("Dates as storages keep them")
struct DatePrecisionTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_001.987_254)

    @Test(
        "are rounded down to whole steps",
        arguments: [
            (Duration.seconds(1), 1_700_000_001.0), (.seconds(2), 1_700_000_000), (.milliseconds(1), 1_700_000_001.987),
            (.milliseconds(10), 1_700_000_001.98),
        ]
    )
    func rounding(precision: Duration, seconds: Double) {
        let kept = Self.date.rounded(to: precision)
        #expect(abs(kept.timeIntervalSince1970 - seconds) < 0.000_001)
        #expect(abs(kept.rounded(to: precision).timeIntervalSince(kept)) < 0.000_001)
        #expect(Self.date.isKept(as: kept))
        #expect(Self.date.rounded(to: nil) == Self.date)
    }

    @Test("of 1969 are rounded down, too")
    func early() {
        #expect(Date(timeIntervalSince1970: -1.5).rounded(to: .seconds(1)) == Date(timeIntervalSince1970: -2))
    }

    @Test("are others if more than the last digits differ", arguments: [-1.0, 1, 2.1, 60])
    func others(difference: Double) {
        #expect(!Self.date.isKept(as: Self.date.addingTimeInterval(difference)))
    }

    @Test("that a storage can't set are not kept by it")
    func limits() {
        var capabilities = FileProviderCapabilities()
        #expect(!capabilities.keepsDate(Self.date))
        capabilities.setsModifiedDate = true
        #expect(capabilities.keepsDate(.distantPast))
        capabilities.settableDates = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 4e9)
        #expect(capabilities.keepsDate(Self.date) && !capabilities.keepsDate(.distantPast))
    }
}
