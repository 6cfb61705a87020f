/// Makes entries of a multistatus document's elements as they begin and end.
///
/// It knows where in the document it stands by the few places that have a meaning, and skips whatever else there is.
struct MultistatusBuilder {
    /// The root element that the document must have.
    enum Root {
        /// A multistatus, entry by entry.
        case multistatus
        /// Any element, as a tree.
        case any
    }

    private enum Place { case document, multistatus, response, propstat, prop, end }

    /// Where a kept tree of elements goes.
    private enum TreeOwner { case root, response, propstat, property }

    /// Entries that are complete and were not yet taken.
    var entries: [MultistatusEntry] = []

    /// The token of a `sync-collection` report (RFC 6578 §6.4).
    private(set) var syncToken: String?

    /// The root of a document that was asked for as a tree.
    private(set) var tree: WebDAVElement?

    /// The first thing that was wrong; nothing is looked at after it.
    private(set) var problem: String?

    /// Indicates whether the root has ended.
    var isComplete: Bool { place == .end }

    private let root: Root
    let others: [WebDAVPropertyName]
    private let keepsRefusals: Bool

    private var place = Place.document
    private var depth = 0
    /// Where what is skipped began; 0 if nothing is.
    private var skipped = 0

    /// The element that the text is kept for; `unknown` if it isn't kept.
    private var captured = MultistatusElement.unknown
    private var capturedDepth = 0
    private var text: [UInt8] = []

    private var nodes: [WebDAVElement] = []
    private var treeOwner = TreeOwner.root

    private var entry = MultistatusEntry()
    private var moreHrefs: [[UInt8]] = []
    private var staged = WebDAVProperties()
    private var stagedStatus: Int?
    private var stagedNames: [WebDAVPropertyName] = []
    private var stagedError: WebDAVElement?
    private var stagedDescription: String?
    private var elements = 0
    private var bytes = 0
    private var contentTypes = RecentTexts()
    private var names = MultistatusNames()

    init(root: Root, others: [WebDAVPropertyName], keepsRefusals: Bool) {
        self.root = root
        self.others = others
        self.keepsRefusals = keepsRefusals
        text.reserveCapacity(1024)
    }

    /// Notes what is wrong with the document.
    mutating func fail(_ words: String) {
        problem = problem ?? words
    }
}

// MARK: - Elements

extension MultistatusBuilder {
    /// An element begins.
    ///
    /// - Parameters:
    ///   - element: The kind of element.
    ///   - index: Which of the other properties; negative if it is none.
    ///   - name: The element's name.
    mutating func start(_ element: MultistatusElement, index: Int, _ name: MultistatusName) {
        depth += 1
        guard depth <= MultistatusLimits.depth else { return fail("elements are nested too deeply") }
        if skipped != 0 { return }
        if !nodes.isEmpty { return startNode(names.text(of: name)) }
        if captured != .unknown {
            // Only one child of what is not kept as a tree has a meaning.
            if captured == .resourceType, element == .collection, depth == capturedDepth + 1 {
                staged.isCollection = true
            }
            skipped = depth
            return
        }
        switch (place, element) {
        case (.document, _): startRoot(element, name)
        case (.multistatus, .response): place = .response
        case (.response, .propstat): place = .propstat
        case (.propstat, .prop): place = .prop
        case (.prop, _): startProperty(element, index, name)
        case (.multistatus, .syncToken), (.response, .href), (.response, .status), (.propstat, .status),
            (.response, .responseDescription), (.propstat, .responseDescription):
            capture(element)
        case (.response, .error): startTree(.response, names.text(of: name))
        case (.propstat, .error): startTree(.propstat, names.text(of: name))
        default: skipped = depth
        }
    }

    /// The element that began last ends.
    mutating func end() {
        defer { depth -= 1 }
        if skipped != 0 {
            if skipped == depth { skipped = 0 }
            return
        }
        if !nodes.isEmpty { return endNode() }
        if captured != .unknown { return endCapture() }
        switch place {
        case .prop: place = .propstat
        case .propstat: endPropstat()
        case .response: endResponse()
        case .multistatus: place = .end
        case .document, .end: break
        }
    }

    /// Text comes, or a piece of it.
    ///
    /// - Parameter piece: UTF-8.
    @inline(__always)
    mutating func characters(_ piece: UnsafeBufferPointer<UInt8>) {
        guard skipped == 0, captured != .unknown || !nodes.isEmpty else { return }
        guard text.count + piece.count <= MultistatusLimits.text else { return fail("a text is too long") }
        text.append(contentsOf: piece)
    }

    private mutating func startRoot(_ element: MultistatusElement, _ name: MultistatusName) {
        switch root {
        case .any: startTree(.root, names.text(of: name))
        case .multistatus where element == .multistatus: place = .multistatus
        case .multistatus: fail("the document is no multistatus")
        }
    }

    private mutating func startProperty(
        _ element: MultistatusElement,
        _ index: Int,
        _ name: MultistatusName
    ) {
        elements += 1
        guard elements <= MultistatusLimits.elements else { return fail("an entry has too many properties") }
        if keepsRefusals { stagedNames.append(names.text(of: name)) }
        if element.isProperty {
            if element == .resourceType { staged.isCollection = false }
            capture(element)
        } else if index >= 0 {
            startTree(.property, others[index])
        } else {
            skipped = depth
        }
    }

    private mutating func capture(_ element: MultistatusElement) {
        captured = element
        capturedDepth = depth
        text.removeAll(keepingCapacity: true)
    }

    private mutating func endCapture() {
        let element = captured
        captured = .unknown
        bytes += text.count
        guard bytes <= MultistatusLimits.entry else { return fail("an entry is too long") }
        text.withUnsafeBufferPointer { text in
            let trimmed = text.trimmed
            switch element {
            case .href: addHref(trimmed)
            case .status: addStatus(trimmed)
            case .responseDescription: addDescription(trimmed)
            case .syncToken: syncToken = trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
            case .displayName: staged.displayName = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
            default: if !trimmed.isEmpty { add(element, trimmed) }
            }
        }
    }

    private mutating func add(_ element: MultistatusElement, _ text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case .contentLength: staged.contentLength = text.integer.flatMap { $0 >= 0 ? $0 : nil }
        case .modifiedDate: staged.modifiedDate = HTTPDateReader.date(text)
        case .creationDate: staged.creationDate = HTTPDateReader.date(text)
        case .eTag: staged.eTag = EntityTag.normalized(text)
        case .contentType: staged.contentType = contentTypes.text(text)
        case .quotaAvailable: staged.quotaAvailable = text.integer
        case .quotaUsed: staged.quotaUsed = text.integer
        default: break
        }
    }
}

// MARK: - Entries

extension MultistatusBuilder {
    private mutating func addHref(_ text: UnsafeBufferPointer<UInt8>) {
        guard !text.isEmpty else { return fail("an href is empty") }
        if entry.href.isEmpty {
            entry.href = Array(text)
        } else {
            // Several items can share a status (RFC 4918 §14.24).
            elements += 1
            guard elements <= MultistatusLimits.elements else { return fail("an entry has too many hrefs") }
            moreHrefs.append(Array(text))
        }
    }

    private mutating func addStatus(_ text: UnsafeBufferPointer<UInt8>) {
        guard let code = text.statusCode else { return fail("a status makes no sense") }
        if place == .propstat { stagedStatus = code } else { entry.status = code }
        if !(200...299).contains(code) { entry.isSuccess = false }
    }

    private mutating func addDescription(_ text: UnsafeBufferPointer<UInt8>) {
        let words = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        if place == .propstat { stagedDescription = words } else { entry.description = words }
    }

    private mutating func endPropstat() {
        place = .response
        // Without its status nobody knows whether the properties are there: a folder would become a file.
        guard let status = stagedStatus else { return fail("a propstat has no status") }
        if !(200...299).contains(status) {
            // 404 is what the server doesn't know of any item.
            if staged.isCollection != nil, status != 404 { entry.kindRefusal = status }
            if keepsRefusals { entry.refusals.append(refusal(status)) }
            entry.error = entry.error ?? stagedError
        } else if entry.hasProperties {
            entry.properties.merge(staged)
        } else {
            entry.hasProperties = true
            swap(&entry.properties, &staged)
        }
        staged = WebDAVProperties()
        stagedStatus = nil
        stagedError = nil
        stagedDescription = nil
        if keepsRefusals { stagedNames = [] }
    }

    private func refusal(_ status: Int) -> MultistatusEntry.Refusal {
        MultistatusEntry.Refusal(
            status: status,
            names: stagedNames,
            error: stagedError,
            description: stagedDescription
        )
    }

    private mutating func endResponse() {
        place = .multistatus
        guard !entry.href.isEmpty else { return fail("an entry has no href") }
        entries.append(entry)
        for href in moreHrefs {
            entry.href = href
            entries.append(entry)
        }
        entry = MultistatusEntry()
        moreHrefs = []
        elements = 0
        bytes = 0
    }
}

// MARK: - Trees

extension MultistatusBuilder {
    private mutating func startTree(_ owner: TreeOwner, _ name: WebDAVPropertyName) {
        treeOwner = owner
        text.removeAll(keepingCapacity: true)
        nodes.append(WebDAVElement(name))
    }

    private mutating func startNode(_ name: WebDAVPropertyName) {
        elements += 1
        guard elements <= MultistatusLimits.elements else { return fail("an entry has too many elements") }
        keepText()
        nodes.append(WebDAVElement(name))
    }

    private mutating func endNode() {
        keepText()
        guard var node = nodes.popLast() else { return }
        if !node.children.isEmpty {
            node.text = node.text.withUTF8 { String(decoding: $0.trimmed, as: UTF8.self) }
        }
        if nodes.isEmpty { deliver(node) } else { nodes[nodes.count - 1].children.append(node) }
    }

    /// Puts the text so far into the innermost open element.
    private mutating func keepText() {
        guard !text.isEmpty else { return }
        bytes += text.count
        guard bytes <= MultistatusLimits.entry else { return fail("an entry is too long") }
        nodes[nodes.count - 1].text += String(decoding: text, as: UTF8.self)
        text.removeAll(keepingCapacity: true)
    }

    private mutating func deliver(_ node: WebDAVElement) {
        switch treeOwner {
        case .root:
            tree = node
            place = .end
        case .response: entry.error = node
        case .propstat: stagedError = node
        case .property: staged.others.append(node)
        }
    }
}

/// The last few different texts: most media types of a folder are among them, and so are not made anew.
private struct RecentTexts {
    private var texts: [(bytes: [UInt8], string: String)] = []
    private var next = 0

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        for recent in texts where recent.bytes.count == bytes.count && recent.bytes.elementsEqual(bytes) {
            return recent.string
        }
        let string = String(decoding: bytes, as: UTF8.self)
        if texts.count < 8 {
            texts.append((Array(bytes), string))
        } else {
            texts[next] = (Array(bytes), string)
            next = (next + 1) % texts.count
        }
        return string
    }
}
