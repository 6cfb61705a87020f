import ArgumentParser

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
