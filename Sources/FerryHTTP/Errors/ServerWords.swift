import Foundation
import HTTPTypes

/// The words of a server about an error, as text that can be shown.
enum ServerWords {
    /// Bytes in UTF-8.
    static let longest = 4 << 10

    /// The words in an answer's body.
    ///
    /// - Parameters:
    ///   - body: The body's beginning.
    ///   - fields: The answer's fields.
    /// - Returns: At most 4 KiB of text without control characters or what looks like a secret; `nil` if there are no
    ///   words, or what is there is no text.
    static func text(in body: Data, fields: HTTPFields) -> String? {
        guard !body.isEmpty, !body.contains(0), (fields[.contentEncoding] ?? "identity") == "identity" else {
            return nil
        }
        let type = fields[.contentType]?.lowercased()
        guard let text = decode(body, isLatin: type?.contains("8859-1") ?? false) else { return nil }
        let words: String? =
            switch kind(type, text) {
            case .plain: text
            case .markup: message(inMarkup: text)
            case .json: message(inJSON: body)
            case .other: nil
            }
        return words.flatMap(clean)
    }

    private enum Kind {
        case plain
        case markup
        case json
        case other
    }

    private static func kind(_ type: String?, _ text: String) -> Kind {
        let first = text.first { !$0.isWhitespace }
        guard let name = type?.prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces) else {
            return first == "<" ? .markup : first == "{" || first == "[" ? .json : .plain
        }
        if name.hasSuffix("/xml") || name.hasSuffix("+xml") || name.hasSuffix("/html") { return .markup }
        if name.hasSuffix("/json") || name.hasSuffix("+json") { return .json }
        return name.hasPrefix("text/") ? .plain : .other
    }

    /// `nil` for what is no text; a character that was cut in two at the end is dropped.
    private static func decode(_ body: Data, isLatin: Bool) -> String? {
        if isLatin { return String(data: body, encoding: .isoLatin1) }
        for dropped in 0...min(3, body.count) {
            if let text = String(validating: body.dropLast(dropped), as: UTF8.self) { return text }
        }
        return nil
    }

    /// XML's `<s:message>` of SabreDAV, `<Message>` of S3, `<D:responsedescription>` of RFC 4918; else all text.
    private static func message(inMarkup text: String) -> String? {
        for name in ["message", "responsedescription"] {
            if let found = element(name, in: text[...]) { return withoutMarkup(found) }
        }
        let body = element("body", in: text[...]) ?? text[...]
        return withoutMarkup(body)
    }

    /// Returns what is between an element's tags, whatever its prefix; to the end if it was cut.
    private static func element(_ name: String, in text: Substring) -> Substring? {
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            let tag = rest[rest.index(after: open)...]
            rest = tag
            guard let close = tag.firstIndex(of: ">") else { return nil }
            let tagName = tag[..<close].prefix { !$0.isWhitespace && $0 != "/" }
            let local = tagName.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
            guard local.lowercased() == name, tag[..<close].last != "/" else { continue }
            let content = tag[tag.index(after: close)...]
            let end = content.range(of: "</\(tagName)", options: .caseInsensitive)?.lowerBound ?? content.endIndex
            let isEmpty = content[..<end].allSatisfy(\.isWhitespace)
            if !isEmpty { return content[..<end] }
        }
        return nil
    }

    private static func withoutMarkup(_ text: Substring) -> String {
        var words = ""
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            words += rest[..<open]
            words += " "
            let tag = rest[rest.index(after: open)...]
            let end: String.Index?
            if let hidden = ["script", "style", "head", "!--"].first(where: { tag.lowercased().hasPrefix($0) }) {
                let mark = hidden == "!--" ? "-->" : "</\(hidden)"
                end = tag.range(of: mark, options: .caseInsensitive)
                    .flatMap { tag[$0.lowerBound...].firstIndex(of: ">") }
            } else {
                end = tag.firstIndex(of: ">")
            }
            guard let end else { return withoutEntities(words) }
            rest = tag[tag.index(after: end)...]
        }
        return withoutEntities(words + rest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " "]

    private static func withoutEntities(_ text: String) -> String {
        var plain = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            plain += rest[..<start]
            let name = rest[rest.index(after: start)...].prefix(10)
            guard let end = name.firstIndex(of: ";"), let value = entity(name[..<end]) else {
                plain += "&"
                rest = rest[rest.index(after: start)...]
                continue
            }
            plain += value
            rest = rest[rest.index(after: end)...]
        }
        return plain + rest
    }

    private static func entity(_ name: Substring) -> String? {
        guard name.first == "#" else { return entities[String(name)] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    /// Where APIs put their words: OAuth 2, Dropbox, Google, Microsoft Graph, Box, OCS and RFC 9457.
    private static let places: [[String]] = [
        ["error_description"], ["error", "message"], ["ocs", "meta", "message"], ["message"], ["error_summary"],
        ["detail"], ["title"], ["error"],
    ]

    private static func message(inJSON body: Data) -> String? {
        // A body that can't be read has no words for us.
        guard let object = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) else { return nil }
        for place in places {
            var value: Any? = object
            for key in place { value = (value as? [String: Any])?[key] }
            if let text = value as? String, !text.isEmpty { return text }
        }
        return nil
    }

    /// Without control characters, also those that turn the direction of writing, and without what looks like a secret.
    private static func clean(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n" || scalar == "\t": scalars.append(scalar)
            case .control, .privateUse, .surrogate, .unassigned: continue
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            default: scalars.append(scalar)
            }
        }
        var words = SecretsInText.redacted(String(scalars).trimmingCharacters(in: .whitespacesAndNewlines))
        if words.utf8.count > longest { words = decode(Data(words.utf8.prefix(longest)), isLatin: false) ?? "" }
        return words.isEmpty ? nil : words
    }
}

/// Text of others that is to be shown or logged, and may quote what we sent.
enum SecretsInText {
    /// The text without what looks like a secret: tokens after `Basic` or `Bearer`, values of `password=` and its like.
    ///
    /// It is the second line of defence: nothing of ours puts a secret into a text.
    ///
    /// - Parameter text: The words of a server.
    /// - Returns: The text with `<redacted>` in such places.
    static func redacted(_ text: String) -> String {
        let proof = /(?i)\b(basic|bearer|negotiate)\s+([A-Za-z0-9+\/._~\-]{8,}=*)/
        let value =
            /(?i)\b([a-z_]*token|passw(?:or)?d|passphrase|[a-z_]*secret|sig|signature|api_?key)(["']?\s*[=:]\s*["']?)[^\s&"'<>,;]+/
        return
            text
            .replacing(proof) { match in
                // "Basic authentication" is no secret.
                let isWord = match.2.dropFirst().allSatisfy { $0.isLowercase }
                return isWord ? String(match.0) : "\(match.1) <redacted>"
            }
            .replacing(value) { "\($0.1)\($0.2)<redacted>" }
    }
}
