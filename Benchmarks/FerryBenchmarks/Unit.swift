import Foundation

/// The unit of a number, and how a person reads it.
enum Unit: Sendable {
    case seconds
    case bytes
    case diskBytes
    case lineBytes
    case mebibytes
    case requests

    /// The quantity that such a number measures.
    var name: String {
        switch self {
        case .seconds: "time"
        case .bytes, .mebibytes: "memory"
        case .diskBytes: "on the disk"
        case .lineBytes: "on the line"
        case .requests: "requests"
        }
    }

    /// A number with its unit: `12.3 ms`, `1.23 s`, `231 B`, `14.2 MiB`, `2001`.
    func text(_ value: Double) -> String {
        let style = style(of: value)
        return style.symbol.isEmpty ? style.number(value) : "\(style.number(value)) \(style.symbol)"
    }

    /// A median, and the least and the most in its unit: `12.3 ms (11.9 – 14.0)`.
    func text(_ statistics: Statistics) -> String {
        let style = style(of: statistics.median)
        return "\(text(statistics.median)) (\(style.number(statistics.minimum)) – \(style.number(statistics.maximum)))"
    }

    private struct Style {
        let symbol: String
        let divisor: Double
        let decimals: Int

        func number(_ value: Double) -> String { String(format: "%.\(decimals)f", value / divisor) }
    }

    private func style(of value: Double) -> Style {
        switch self {
        case .seconds where value < 0.1: Style(symbol: "ms", divisor: 0.001, decimals: 1)
        case .seconds where value < 1: Style(symbol: "ms", divisor: 0.001, decimals: 0)
        case .seconds: Style(symbol: "s", divisor: 1, decimals: 2)
        case .requests: Style(symbol: "", divisor: 1, decimals: 0)
        case .bytes, .diskBytes, .lineBytes: Style(symbol: "B", divisor: 1, decimals: 0)
        case .mebibytes where value < 100 * 1_048_576: Style(symbol: "MiB", divisor: 1_048_576, decimals: 1)
        case .mebibytes where value >= 1_073_741_824: Style(symbol: "GiB", divisor: 1_073_741_824, decimals: 0)
        case .mebibytes: Style(symbol: "MiB", divisor: 1_048_576, decimals: 0)
        }
    }
}
