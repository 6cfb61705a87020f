import NIOHTTP1

/// An answer to a request for a part of a file (RFC 9110, section 14).
enum ContentRange {
    /// Answers with all of a content, or with the part that a `Range` field asks for.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - range: The value of the `Range` field.
    /// - Returns: The answer, with status 200, 206 or 416; a range of another form is ignored.
    static func response(_ content: CloudContent, range: String?) -> LabResponse {
        var response = LabResponse(
            200,
            headers: ["Content-Type": "application/octet-stream", "Accept-Ranges": "bytes"],
            body: content
        )
        guard let range, let wanted = bounds(range, count: content.count) else { return response }
        guard wanted.lowerBound < content.count, !wanted.isEmpty else {
            response.status = 416
            response.body = CloudContent()
            response.headers.replaceOrAdd(name: "Content-Range", value: "bytes */\(content.count)")
            response.refusal = "range not satisfiable"
            return response
        }
        let part = wanted.clamped(to: 0..<content.count)
        response.status = 206
        response.body = content.part(part)
        let last = part.upperBound - 1
        response.headers.replaceOrAdd(
            name: "Content-Range",
            value: "bytes \(part.lowerBound)-\(last)/\(content.count)"
        )
        return response
    }

    private static func bounds(_ range: String, count: Int64) -> Range<Int64>? {
        guard range.hasPrefix("bytes="), !range.contains(",") else { return nil }
        let parts = range.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (Int64(parts[0]), Int64(parts[1])) {
        case (let first?, let last?): return first <= last ? first..<(last == .max ? last : last + 1) : nil
        case (let first?, nil) where parts[1].isEmpty: return first < count ? first..<count : count..<count
        case (nil, let suffix?) where parts[0].isEmpty:
            return suffix > 0 ? max(0, count - suffix)..<count : count..<count
        default: return nil
        }
    }
}
