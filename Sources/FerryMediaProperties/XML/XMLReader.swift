import CLibXML2

/// The events of an XML document while it is read.
protocol XMLVisitor {
    /// An element begins.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - attributes: Its attributes.
    mutating func start(_ name: XMLName, _ attributes: [XMLName: String])

    /// An element ends.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - text: The words directly in it, up to a limit.
    mutating func end(_ name: XMLName, text: String)

    /// Indicates whether the rest of the document is of no interest.
    var isDone: Bool { get }
}

/// The name of an element or attribute.
struct XMLName: Hashable {
    let namespace: String
    let local: String

    init(_ local: String, in namespace: String = "") {
        self.local = local
        self.namespace = namespace
    }
}

/// Reads XML as it arrives, by libxml2's parser.
///
/// Nothing is fetched. A document type is passed over, as many pictures have one; but what declares an entity ends the
/// reading: who sends that to a reader of properties has something else in mind.
struct XMLReader<Visitor: XMLVisitor>: ~Copyable {
    private let context: xmlParserCtxtPtr
    private let handling: UnsafeMutablePointer<any XMLHandling>

    /// Makes a reader of one document.
    ///
    /// - Throws: ``DamagedFile`` when there is no memory for it.
    init(_ visitor: Visitor) throws {
        xmlInitParser()
        var handler = makeHandler()
        guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else {
            throw DamagedFile("there is no memory for reading it")
        }
        self.context = context
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        handling = .allocate(capacity: 1)
        handling.initialize(to: XMLHandler(visitor))
        context.pointee.userData = UnsafeMutableRawPointer(handling)
    }

    deinit {
        xmlFreeParserCtxt(context)
        handling.deinitialize(count: 1)
        handling.deallocate()
    }

    /// The visitor, with what it has seen.
    var visitor: Visitor? { (handling.pointee as? XMLHandler<Visitor>)?.visitor }

    /// Reads on.
    ///
    /// - Parameter bytes: The next bytes.
    /// - Returns: `true` if more is of interest: no longer after an error in the document either, whose beginning stays
    ///   good.
    mutating func read(_ bytes: [UInt8]) -> Bool {
        guard !handling.pointee.isStopped, context.pointee.wellFormed != 0 else { return false }
        _ = bytes.withUnsafeBytes { raw in
            xmlParseChunk(context, raw.bindMemory(to: CChar.self).baseAddress, Int32(clamping: raw.count), 0)
        }
        return !handling.pointee.isStopped && context.pointee.wellFormed != 0
    }

    /// Reads a whole document as far as it is good.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - visitor: The visitor that gets the document's events.
    /// - Returns: The visitor that has seen it.
    /// - Throws: ``DamagedFile`` when there is no memory for it.
    static func read(_ bytes: [UInt8], _ visitor: Visitor) throws -> Visitor {
        var reader = try Self(visitor)
        var rest = bytes[...]
        while !rest.isEmpty, reader.read(Array(rest.prefix(64 << 10))) { rest = rest.dropFirst(64 << 10) }
        return reader.visitor ?? visitor
    }
}

/// The callbacks of libxml2.
private protocol XMLHandling {
    var isStopped: Bool { get set }
    mutating func start(_ name: XMLName, _ attributes: [XMLName: String])
    mutating func end(_ name: XMLName)
    mutating func characters(_ text: UnsafeBufferPointer<UInt8>)
}

private struct XMLHandler<Visitor: XMLVisitor>: XMLHandling {
    var visitor: Visitor
    var isStopped = false
    private var texts: [[UInt8]] = []

    init(_ visitor: Visitor) {
        self.visitor = visitor
    }

    mutating func start(_ name: XMLName, _ attributes: [XMLName: String]) {
        guard texts.count < 256 else {
            isStopped = true
            return
        }
        texts.append([])
        visitor.start(name, attributes)
        if visitor.isDone { isStopped = true }
    }

    mutating func end(_ name: XMLName) {
        let text = texts.popLast() ?? []
        visitor.end(name, text: text.isEmpty ? "" : text[...].text ?? "")
        if visitor.isDone { isStopped = true }
    }

    mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
        guard !texts.isEmpty else { return }
        let room = Texts.limit - texts[texts.count - 1].count
        if room > 0 { texts[texts.count - 1] += text.prefix(room) }
    }
}

private func makeHandler() -> xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = { data, local, _, namespace, _, _, count, _, attributes in
        guard let data, let local else { return }
        perform(data) { $0.start(xmlName(local, namespace), xmlAttributes(attributes, count)) }
    }
    handler.endElementNs = { data, local, _, namespace in
        guard let data, let local else { return }
        perform(data) { $0.end(xmlName(local, namespace)) }
    }
    handler.characters = { data, text, count in
        guard let data, let text else { return }
        perform(data) { $0.characters(UnsafeBufferPointer(start: text, count: Int(count))) }
    }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.entityDecl = { data, _, _, _, _, _ in if let data { perform(data) { $0.isStopped = true } } }
    handler.reference = { data, _ in if let data { perform(data) { $0.isStopped = true } } }
    handler.serror = { _, _ in }
    return handler
}

private func perform(_ data: UnsafeMutableRawPointer, _ action: (inout any XMLHandling) -> Void) {
    let handling = data.assumingMemoryBound(to: (any XMLHandling).self)
    if !handling.pointee.isStopped { action(&handling.pointee) }
}

private func xmlName(_ local: UnsafePointer<xmlChar>, _ namespace: UnsafePointer<xmlChar>?) -> XMLName {
    XMLName(String(cString: local), in: namespace.map { String(cString: $0) } ?? "")
}

/// Each has five pointers: name, prefix, namespace, and where the value begins and ends.
private func xmlAttributes(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int32
) -> [XMLName: String] {
    guard let attributes else { return [:] }
    var result: [XMLName: String] = [:]
    for index in 0..<min(Int(count), 256) {
        guard let local = attributes[index * 5], let start = attributes[index * 5 + 3],
            let end = attributes[index * 5 + 4], end >= start
        else { continue }
        let value = UnsafeBufferPointer(start: start, count: min(end - start, Texts.limit))
        result[xmlName(local, attributes[index * 5 + 2])] = value.text ?? ""
    }
    return result
}
