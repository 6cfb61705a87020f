import ArgumentParser
import FerryTransfer

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
