public import Foundation

extension Date {
    /// Reads a date as protocols write them: RFC 1123 (`Sun, 06 Nov 1994 08:49:37 GMT`), RFC 850
    /// (`Sunday, 06-Nov-94 08:49:37 GMT`), RFC 822 (`06 Nov 94 08:49 EST`), asctime (`Sun Nov  6 08:49:37 1994`), and
    /// RFC 3339 (`1994-11-06T08:49:37.5+01:00`).
    ///
    /// The weekday is not compared with the date. Years of two digits are of 1977 to 2076. Where no zone is given, it is
    /// UTC.
    ///
    /// - Parameter rfcString: The date; white space around it is left out. `nil` if it is none.
    public init?(rfcString: String) {
        let bytes = Array(rfcString.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard let date = bytes.withUnsafeBufferPointer({ HTTPDateReader.date($0) }) else { return nil }
        self = date
    }
}
