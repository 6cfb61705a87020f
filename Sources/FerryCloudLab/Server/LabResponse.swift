import Foundation
import NIOHTTP1

/// An answer to a request.
struct LabResponse: Sendable {
    var status: Int
    var headers = HTTPHeaders()
    var body = CloudContent()
    /// The words of a refusal, for the journal.
    var refusal: String?

    init(_ status: Int, headers: HTTPHeaders = HTTPHeaders(), body: CloudContent = CloudContent()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes an answer with a JSON body.
    init(_ status: Int = 200, json: JSONValue) {
        self.init(status, headers: ["Content-Type": "application/json"], body: CloudContent(json.encoded))
    }

    /// Makes an answer with a body of plain text.
    init(_ status: Int, text: String) {
        self.init(
            status,
            headers: ["Content-Type": "text/plain; charset=utf-8"],
            body: CloudContent(text.utf8)
        )
        if status >= 400 { refusal = text }
    }
}

/// The form of dates in HTTP fields (RFC 9110, section 5.6.7).
enum LabDate {
    /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func httpText(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let day = "\(days[((parts.weekday ?? 1) - 1) % 7]), \(two(parts.day)) \(months[((parts.month ?? 1) - 1) % 12])"
        return "\(day) \(parts.year ?? 0) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }
}
