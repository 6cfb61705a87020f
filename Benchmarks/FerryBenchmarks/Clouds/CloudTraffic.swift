import Foundation

/// The exchanges that the emulated services have had in some time.
struct CloudTraffic: Sendable {
    /// The requests, whatever the answer was.
    private(set) var requests = 0

    /// The bytes of the bodies of requests and answers together.
    private(set) var bodyBytes: Int64 = 0

    /// The hosts that programs asked for and that aren't emulated.
    private(set) var refusedHosts: Set<String> = []

    private struct Line: Decodable {
        let service: String
        let host: String
        let requestBytes: Int64
        let responseBytes: Int64
    }

    /// Reads lines of the journal.
    ///
    /// - Parameter journal: Whole lines, each an object of JSON.
    /// - Throws: `DecodingError` for a line that is something else.
    init(journal: Data) throws {
        let decoder = JSONDecoder()
        for text in journal.split(separator: UInt8(ascii: "\n")) {
            let line = try decoder.decode(Line.self, from: text)
            guard line.service != "proxy" else {
                refusedHosts.insert(line.host)
                continue
            }
            requests += 1
            bodyBytes += line.requestBytes + line.responseBytes
        }
    }
}
