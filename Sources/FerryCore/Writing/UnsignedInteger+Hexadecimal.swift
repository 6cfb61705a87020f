extension UnsignedInteger where Self: FixedWidthInteger {
    /// Lower-case hexadecimal digits, the highest first: two for each byte, zeros included.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
