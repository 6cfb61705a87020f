import NIOHTTP1

extension LabRequest {
    /// Changes the objects in the JSON of the body, or of Dropbox's header field for arguments; does nothing where
    /// there is none.
    mutating func changeArgument(_ change: (inout JSONObject) -> Void) {
        let field = "Dropbox-API-Arg"
        if let text = headers.first(name: field) {
            guard var value = try? JSONParser.parse(text.utf8) else { return }
            value.changeObjects(change)
            headers.replaceOrAdd(name: field, value: value.encodedForHeader)
        } else if headers.first(name: "Content-Type")?.hasPrefix("application/json") == true,
            var value = try? JSONParser.parse(body.bytes)
        {
            value.changeObjects(change)
            body = CloudContent(value.encoded)
        }
    }

    /// Moves the range that is asked for by some bytes.
    mutating func shiftRange(by count: Int64) {
        guard let range = headers.first(name: "Range"), range.hasPrefix("bytes=") else { return }
        let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int64(bounds[0]) else { return }
        let last = Int64(bounds[1]).map { String($0 + count) } ?? ""
        headers.replaceOrAdd(name: "Range", value: "bytes=\(first + count)-\(last)")
    }
}
