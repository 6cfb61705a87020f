/// An upload session as the API describes it.
struct GraphUploadSession: Decodable, Sendable, Hashable {
    let uploadURL: String?
    let expirationDateTime: String?
    let nextExpectedRanges: [String]?

    private enum CodingKeys: String, CodingKey {
        case expirationDateTime, nextExpectedRanges
        case uploadURL = "uploadUrl"
    }

    /// The offset of the first byte that is missing; `nil` if the service names none.
    ///
    /// The ends of ranges say nothing of how much may be sent.
    var expectedStart: Int64? {
        nextExpectedRanges?.compactMap { range in
            range.split(separator: "-", omittingEmptySubsequences: false).first.flatMap { Int64($0) }
        }.min()
    }
}
