import CLibXML2

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
