import CLibXML2

/// The callbacks for libxml2 while it parses, and their state.
struct XMLHandling: ~Copyable {
    var builder: MultistatusBuilder
    /// Bytes that came since anything in the document began or ended.
    var quietBytes = 0

    private let table: MultistatusElementTable
    private let context: xmlParserCtxtPtr

    init(_ builder: consuming MultistatusBuilder, context: xmlParserCtxtPtr) {
        table = MultistatusElementTable(dictionary: context.pointee.dict, others: builder.others)
        self.builder = builder
        self.context = context
    }

    /// Must be touched before the first parser is made.
    static let initializeLibrary: Void = xmlInitParser()

    /// No function of the library's own: it builds no tree, resolves no entity, opens nothing, prints nothing.
    static func makeHandler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startElementNs = { data, local, _, namespace, namespaceCount, _, attributeCount, _, attributes in
            guard let local else { return }
            data?.handling.pointee.start(local, namespace, namespaceCount, attributeCount, attributes)
        }
        handler.endElementNs = { data, _, _, _ in data?.handling.pointee.end() }
        handler.characters = { data, text, count in data?.handling.pointee.characters(text, count) }
        // Where it has no other function for white space, the library doesn't ask whether some is of no account.
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { data, _, _, _ in data?.handling.pointee.refuse("it has a document type") }
        handler.entityDecl = { data, _, _, _, _, _ in data?.handling.pointee.refuse("it declares an entity") }
        handler.reference = { data, _ in data?.handling.pointee.refuse("it refers to an entity") }
        handler.serror = { _, _ in }
        return handler
    }

    private mutating func start(
        _ local: UnsafePointer<xmlChar>,
        _ namespace: UnsafePointer<xmlChar>?,
        _ namespaceCount: Int32,
        _ attributeCount: Int32,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        quietBytes = 0
        if attributeCount > 0 || namespaceCount > 64 {
            guard namespaceCount <= 256, Self.length(attributes, attributeCount) <= MultistatusLimits.text else {
                return refuse("a start tag is too long")
            }
        }
        let (element, index) = table.find(local, namespace)
        builder.start(element, index: index, MultistatusName(local: local, namespace: namespace))
        stopAtProblem()
    }

    private mutating func end() {
        quietBytes = 0
        builder.end()
        stopAtProblem()
    }

    private mutating func characters(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
        quietBytes = 0
        builder.characters(UnsafeBufferPointer(start: text, count: Int(count)))
        stopAtProblem()
    }

    private mutating func refuse(_ words: String) {
        builder.fail(words)
        stopAtProblem()
    }

    private func stopAtProblem() {
        if builder.problem != nil { xmlStopParser(context) }
    }

    private static func length(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int32) -> Int {
        guard let attributes else { return 0 }
        // Each has five pointers: name, prefix, namespace, and where the value begins and ends.
        return (0..<Int(count)).reduce(0) { sum, index in
            guard let start = attributes[index * 5 + 3], let end = attributes[index * 5 + 4] else { return sum }
            return sum + (end - start)
        }
    }
}

extension UnsafeMutableRawPointer {
    fileprivate var handling: UnsafeMutablePointer<XMLHandling> {
        assumingMemoryBound(to: XMLHandling.self)
    }
}
