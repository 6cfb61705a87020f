/// Values read from bytes, without a copy: a listing has them by the hundred thousand.
extension UnsafeBufferPointer<UInt8> {
    /// The bytes behind the first few.
    func dropping(_ number: Int) -> Self {
        Self(rebasing: dropFirst(number))
    }

    /// The bytes without white space at both ends (XML 1.0 §2.3).
    var trimmed: Self {
        var (start, end) = (0, count)
        while start < end, self[start].isXMLSpace { start += 1 }
        while end > start, self[end - 1].isXMLSpace { end -= 1 }
        return start == 0 && end == count ? self : Self(rebasing: self[start..<end])
    }

    /// The whole number that all bytes together write; `nil` for anything else, and if it is too large.
    var integer: Int64? {
        guard let first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let digits = isNegative || first == UInt8(ascii: "+") ? dropping(1) : self
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(digit))
            guard !overflows, !overflowsToo else { return nil }
            value = sum
        }
        return isNegative ? -value : value
    }

    /// The code of a status line (`HTTP/1.1 200 OK`, RFC 4918 §14.28); `nil` if it isn't one.
    var statusCode: Int? {
        guard let space = firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let rest = dropping(space).trimmed
        guard rest.count >= 3, rest.count == 3 || rest[3].isXMLSpace,
            let code = Self(rebasing: rest[..<3]).integer, (100...599).contains(code)
        else { return nil }
        return Int(code)
    }
}

extension UInt8 {
    /// Indicates whether XML takes the byte for white space.
    var isXMLSpace: Bool { self == 0x20 || (self <= 0x0D && self >= 0x09 && self != 0x0B && self != 0x0C) }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Capitals of ASCII as small letters.
    var asciiLowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
