import ArgumentParser

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
