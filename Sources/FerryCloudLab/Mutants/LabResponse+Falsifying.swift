import NIOHTTP1

extension LabResponse {
    /// Changes the JSON of the body and of Dropbox's header field for results; does nothing where there is none.
    mutating func changeJSON(_ change: (inout JSONValue) -> Void) {
        if headers.first(name: "Content-Type")?.hasPrefix("application/json") == true,
            var value = try? JSONParser.parse(body.bytes)
        {
            change(&value)
            body = CloudContent(value.encoded)
        }
        let field = "Dropbox-API-Result"
        if let text = headers.first(name: field), var value = try? JSONParser.parse(text.utf8) {
            change(&value)
            headers.replaceOrAdd(name: field, value: value.encodedForHeader)
        }
    }

    /// Changes the last byte of the body, if there is one.
    mutating func damageLastByte() { body = body.damaged }
}

extension CloudContent {
    /// The content with another last byte.
    var damaged: CloudContent {
        guard count > 0 else { return self }
        var content = part(0..<count - 1)
        content.append(CloudContent(part(count - 1..<count).bytes.map { $0 ^ 1 }))
        return content
    }

    /// The content without its last byte.
    var shortened: CloudContent { count > 0 ? part(0..<count - 1) : self }
}
