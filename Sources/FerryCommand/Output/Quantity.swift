/// Numbers of bytes, items and seconds, for people.
enum Quantity {
    /// Bytes in at most five characters: `0`, `999`, `4.0K`, `38M`, `1.2G`, in powers of 1,024 as `ls` shows them.
    ///
    /// - Parameter bytes: How many.
    /// - Returns: Text that is never less than the truth: it is rounded up.
    static func short(bytes: Int64) -> String {
        guard bytes >= 1024 else { return String(bytes) }
        var value = Double(bytes)
        var units = "KMGTPE"[...]
        while let unit = units.popFirst() {
            value /= 1024
            if value < 9.95 { return "\(decimal((value * 10).rounded(.up) / 10))\(unit)" }
            if value <= 1023 || units.isEmpty { return "\(Int64(value.rounded(.up)))\(unit)" }
        }
        return String(bytes)
    }

    /// Bytes in words: `1 byte`, `12 bytes`, `3.4 MiB`.
    static func words(bytes: Int64) -> String {
        if bytes == 1 { return "1 byte" }
        guard bytes >= 1024 else { return "\(bytes) bytes" }
        var value = Double(bytes)
        var units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][...]
        while let unit = units.popFirst() {
            value /= 1024
            if value < 99.95 { return "\(decimal(value)) \(unit)" }
            if value < 999.5 || units.isEmpty { return "\(Int64(value.rounded())) \(unit)" }
        }
        return "\(bytes) bytes"
    }

    /// A number and its noun: `1 file`, `12 files`.
    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A number with commas between thousands.
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// A time: `380 µs`, `12 ms`, `3.4 s`, `2:05`, `1:02:03`.
    static func time(_ duration: Duration) -> String {
        let seconds = max(0, Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
        if seconds < 0.001 { return "\(Int((seconds * 1e6).rounded())) µs" }
        if seconds < 0.9995 { return "\(Int((seconds * 1e3).rounded())) ms" }
        if seconds < 59.95 { return "\(decimal(seconds)) s" }
        return clock(duration)
    }

    /// A time that counts down: `0:07`, `12:34`, `1:02:03`.
    static func clock(_ duration: Duration) -> String {
        let isHalf = duration.components.attoseconds >= 500_000_000_000_000_000
        let total = max(0, duration.components.seconds + (isHalf ? 1 : 0))
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(seconds))" : "\(minutes):\(padded(seconds))"
    }

    /// A number with one decimal.
    static func decimal(_ value: Double) -> String {
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// Two digits.
    static func padded(_ number: some BinaryInteger) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
