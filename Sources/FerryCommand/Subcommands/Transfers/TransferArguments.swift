import ArgumentParser
import FerryTransfer

/// How much a sync may remove: `20` items, or `10%` of what the target has.
struct RemovalLimit: ExpressibleByArgument, Hashable {
    private enum Kind: Hashable {
        case count(Int)
        case part(Double)
    }

    private let kind: Kind

    /// Items; `nil` if it is a part.
    var count: Int? { if case .count(let count) = kind { count } else { nil } }

    /// A part of what the target has, from 0 to 1; `nil` if it is a number of items.
    var part: Double? { if case .part(let part) = kind { part } else { nil } }

    init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), (0...100).contains(percent) else { return nil }
            kind = .part(percent / 100)
        } else {
            guard let count = Int(argument), count >= 0 else { return nil }
            kind = .count(count)
        }
    }
}

/// A number of bytes as a person writes it: `500`, `10K`, `1.5M`, `2 GiB`; units are powers of 1,024.
struct ByteSize: ExpressibleByArgument, Hashable {
    /// Bytes, at least 0.
    let bytes: Int64

    init?(argument: String) {
        var rest = argument[...]
        let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        rest = rest.dropFirst(number.count).drop { $0 == " " }
        var unit = rest.uppercased()
        if unit.hasSuffix("IB") { unit.removeLast(2) } else if unit.hasSuffix("B") { unit.removeLast() }
        let units = ["", "K", "M", "G", "T", "P", "E"]
        guard let power = units.firstIndex(of: unit), let value = Double(number), value.isFinite else { return nil }
        let bytes = (value * Double(Int64(1) << (10 * power))).rounded()
        guard bytes < Double(Int64.max) else { return nil }
        self.bytes = Int64(bytes)
    }
}

/// Which files come first, as a person writes it: `size`, `date,descending`.
struct OrderArgument: ExpressibleByArgument {
    /// The library's name for it.
    let order: TransferOrder

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(words.count), let key = TransferOrder.Key(rawValue: String(words[0])) else { return nil }
        guard words.count == 1 || ["ascending", "descending"].contains(words[1]) else { return nil }
        order = TransferOrder(key, ascending: words.count == 1 || words[1] == "ascending")
    }

    static var allValueStrings: [String] {
        TransferOrder.Key.allCases.flatMap { [$0.rawValue, $0.rawValue + ",descending"] }
    }
}

/// How fast bytes may pass, as a person writes it: `10M`, `1M:off`, `08:00,512K 18:00,off`.
struct RateArgument: ExpressibleByArgument {
    /// The library's value for it.
    let limit: BandwidthLimit

    init?(argument: String) {
        guard let limit = BandwidthLimit(argument) else { return nil }
        self.limit = limit
    }
}
