import NIOHTTP1

extension JSONValue {
    /// Changes each object, the inner ones first.
    mutating func changeObjects(_ change: (inout JSONObject) -> Void) {
        switch self {
        case .object(var object):
            for member in object.members {
                var value = member.value
                value.changeObjects(change)
                object[member.name] = value
            }
            change(&object)
            self = .object(object)
        case .array(var elements):
            for index in elements.indices { elements[index].changeObjects(change) }
            self = .array(elements)
        default: break
        }
    }
}

extension JSONObject {
    /// Changes a member that is a text.
    mutating func changeText(_ name: String, _ change: (String) -> String) {
        if let text = self[name]?.string { self[name] = .string(change(text)) }
    }

    /// Changes a member that is an array.
    mutating func changeArray(_ name: String, _ change: (inout [JSONValue]) -> Void) {
        guard var elements = self[name]?.array else { return }
        change(&elements)
        self[name] = .array(elements)
    }
}

extension LabRequest {
    /// Changes the objects in the JSON of the body, or of Dropbox's header field for arguments; does nothing where
    /// there is none, or none that can be read.
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

extension LabResponse {
    /// Changes the JSON of the body and of Dropbox's header field for results; does nothing where there is none,
    /// or none that can be read.
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
