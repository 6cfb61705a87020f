/// A reader of XML documents that have elements and attributes only.
struct XMLReader {
    private static let maximumDepth = 100

    private let bytes: [UInt8]
    private let file: String
    private var position = 0

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private func failure(_ sentence: String) -> DescriptionError {
        let line = 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }
        return DescriptionError(file: file, line: line, sentence: sentence)
    }

    mutating func document() throws(DescriptionError) -> XMLElement {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        try skipToElement()
        let element = try element(depth: 0)
        try skipToElement()
        guard position == bytes.count else { throw failure("A document has one outermost element.") }
        return element
    }

    private func isAt(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        return position + count <= bytes.count
            && bytes[position..<position + count].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: count)
            )
    }

    private mutating func skip(past text: StaticString) throws(DescriptionError) {
        while position < bytes.count {
            if isAt(text) {
                position += text.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw failure("'\(text)' is missing.")
    }

    /// Passes over texts, comments and processing instructions up to the next tag, or the end.
    private mutating func skipToElement() throws(DescriptionError) {
        while position < bytes.count {
            if isAt("<!--") {
                try skip(past: "-->")
            } else if isAt("<?") {
                try skip(past: "?>")
            } else if isAt("<!") {
                throw failure("Declarations aren't read.")
            } else if bytes[position] == UInt8(ascii: "<") {
                return
            } else {
                position += 1
            }
        }
    }

    private mutating func element(depth: Int) throws(DescriptionError) -> XMLElement {
        guard depth < Self.maximumDepth else { throw failure("The elements are nested too deeply.") }
        guard isAt("<") else { throw failure("An element is missing.") }
        position += 1
        var element = XMLElement(name: try name())
        while true {
            skipSpace()
            if isAt("/>") {
                position += 2
                return element
            }
            if isAt(">") {
                position += 1
                break
            }
            let attribute = try name()
            skipSpace()
            guard isAt("=") else { throw failure("An attribute needs a value.") }
            position += 1
            skipSpace()
            guard element.attributes.updateValue(try attributeValue(), forKey: attribute) == nil else {
                throw failure("The attribute '\(attribute)' is there twice.")
            }
        }
        while true {
            try skipToElement()
            if isAt("</") {
                position += 2
                guard try name() == element.name else { throw failure("'\(element.name)' isn't closed.") }
                skipSpace()
                guard isAt(">") else { throw failure("A '>' is missing.") }
                position += 1
                return element
            }
            element.children.append(try self.element(depth: depth + 1))
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func name() throws(DescriptionError) -> String {
        let start = position
        while position < bytes.count, !" \t\r\n=/><\"'".utf8.contains(bytes[position]) { position += 1 }
        guard position > start else { throw failure("A name is missing.") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func attributeValue() throws(DescriptionError) -> String {
        guard isAt("\"") || isAt("'") else { throw failure("A value stands in quotation marks.") }
        let quote = bytes[position]
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard position < bytes.count else { throw failure("A value doesn't end.") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 1
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

/// An element of an XML document; texts between elements are left out.
struct XMLElement: Sendable, Equatable {
    /// The name as it is written, with its prefix.
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
}

extension XMLElement {
    /// Reads a document.
    ///
    /// Comments, processing instructions and texts are passed over, documents with a type declaration are refused: that
    /// is enough for metadata documents.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - file: The name of the file, for errors.
    /// - Returns: The outermost element.
    /// - Throws: ``DescriptionError``.
    static func parse(_ bytes: some Sequence<UInt8>, file: String) throws(DescriptionError) -> XMLElement {
        var reader = XMLReader(Array(bytes), file: file)
        return try reader.document()
    }
}
