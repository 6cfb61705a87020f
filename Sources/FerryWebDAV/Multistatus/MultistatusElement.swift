import CLibXML2

/// The elements that are known by name; all others are skipped.
enum MultistatusElement: UInt8 {
    case unknown
    case multistatus, response, href, propstat, prop, status, error, responseDescription, syncToken
    case resourceType, collection, contentLength, modifiedDate, creationDate, eTag, contentType, displayName
    case quotaAvailable, quotaUsed
    /// A property that was asked for beyond these.
    case other

    static let names: [(Self, String)] = [
        (.multistatus, "multistatus"), (.response, "response"), (.href, "href"), (.propstat, "propstat"),
        (.prop, "prop"), (.status, "status"), (.error, "error"), (.responseDescription, "responsedescription"),
        (.syncToken, "sync-token"), (.resourceType, "resourcetype"), (.collection, "collection"),
        (.contentLength, "getcontentlength"), (.modifiedDate, "getlastmodified"), (.creationDate, "creationdate"),
        (.eTag, "getetag"), (.contentType, "getcontenttype"), (.displayName, "displayname"),
        (.quotaAvailable, "quota-available-bytes"), (.quotaUsed, "quota-used-bytes"),
    ]

    /// Indicates whether the element is a property with a value of its own in ``WebDAVProperties``.
    var isProperty: Bool {
        switch self {
        case .resourceType, .contentLength, .modifiedDate, .creationDate, .eTag, .contentType, .displayName,
            .quotaAvailable, .quotaUsed:
            true
        default: false
        }
    }
}

/// Finds known elements by the addresses of their names: the parser keeps each name and each namespace once, in its
/// dictionary, so that no text has to be compared.
struct MultistatusElementTable: ~Copyable {
    private struct Slot {
        var local: UnsafePointer<xmlChar>?
        var namespace: UnsafePointer<xmlChar>?
        var element = MultistatusElement.unknown
        var index = -1
    }

    private let slots: UnsafeMutableBufferPointer<Slot>
    private let mask: Int

    /// Puts all known names into the parser's dictionary; if there is no room for one, it is not found later.
    ///
    /// - Parameters:
    ///   - dictionary: The parser's.
    ///   - others: Properties beyond those that are always known.
    init(dictionary: xmlDictPtr, others: [WebDAVPropertyName]) {
        var size = 128
        while size < (MultistatusElement.names.count + others.count) * 4 { size *= 2 }
        slots = .allocate(capacity: size)
        slots.initialize(repeating: Slot())
        mask = size - 1
        let dav = xmlDictLookup(dictionary, WebDAVPropertyName.dav, -1)
        for (element, name) in MultistatusElement.names {
            insert(Slot(local: xmlDictLookup(dictionary, name, -1), namespace: dav, element: element))
        }
        for (index, name) in others.enumerated() {
            let local = xmlDictLookup(dictionary, name.name, -1)
            // A name without a namespace has none, not an empty one.
            let namespace = name.namespace.isEmpty ? nil : xmlDictLookup(dictionary, name.namespace, -1)
            insert(Slot(local: local, namespace: namespace, element: .other, index: index))
        }
    }

    deinit {
        slots.deallocate()
    }

    private func insert(_ slot: Slot) {
        guard let local = slot.local else { return }
        var index = place(local)
        while slots[index].local != nil {
            // A name that means something elsewhere can be a property's, too (`sync-token` is).
            if slots[index].local == slot.local, slots[index].namespace == slot.namespace {
                slots[index].index = slot.index
                return
            }
            index = (index + 1) & mask
        }
        slots[index] = slot
    }

    private func place(_ local: UnsafePointer<xmlChar>) -> Int {
        let bits = Int(bitPattern: local)
        return (bits ^ bits >> 7) & mask
    }

    /// The element of a name; `index` counts the properties that were asked for beyond the usual ones, and is negative
    /// for all else.
    @inline(__always)
    func find(
        _ local: UnsafePointer<xmlChar>,
        _ namespace: UnsafePointer<xmlChar>?
    ) -> (element: MultistatusElement, index: Int) {
        var index = place(local)
        while let candidate = slots[index].local {
            if candidate == local, slots[index].namespace == namespace {
                return (slots[index].element, slots[index].index)
            }
            index = (index + 1) & mask
        }
        return (.unknown, -1)
    }
}

/// The name of an element while the parser is at it.
struct MultistatusName: Hashable {
    let local: UnsafePointer<xmlChar>
    let namespace: UnsafePointer<xmlChar>?
}

/// Names as text, each made once for a document.
struct MultistatusNames {
    private var texts: [MultistatusName: WebDAVPropertyName] = [:]

    mutating func text(of name: MultistatusName) -> WebDAVPropertyName {
        if let text = texts[name] { return text }
        let text = WebDAVPropertyName(
            String(cString: name.local),
            namespace: name.namespace.map { String(cString: $0) } ?? ""
        )
        if texts.count < 1024 { texts[name] = text }
        return text
    }
}
