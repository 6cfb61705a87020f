import NIOHTTP1

/// A reader of the addresses of the API, with all forms in which a drive and an item can be named.
struct GraphAddressParser {
    private let method: HTTPMethod
    private var segments: ArraySlice<Substring>
    private var address = GraphAddress()

    /// Reads an address.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - path: The path behind the version, percent-encoded, without a slash at its start.
    /// - Returns: The address.
    /// - Throws: A refusal with status 400 or 405.
    static func parse(_ method: HTTPMethod, _ path: some StringProtocol) throws(GraphRefusal) -> GraphAddress {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { Substring($0) }
        var parser = GraphAddressParser(method: method, segments: segments[...])
        try parser.readOwner()
        return parser.address
    }

    private init(method: HTTPMethod, segments: ArraySlice<Substring>) {
        self.method = method
        self.segments = segments
    }

    private var unknown: GraphRefusal {
        .invalid("Resource not found for the segment '\(segments.first ?? "")'.")
    }

    private mutating func next() -> Substring? { segments.popFirst() }

    private mutating func decodedNext() throws(GraphRefusal) -> String {
        guard let segment = next(), !segment.isEmpty else { throw unknown }
        return try GraphText.decoded(segment)
    }

    /// Ends the address with an operation.
    private mutating func end(_ routes: [(HTTPMethod, GraphRoute)]) throws(GraphRefusal) {
        guard segments.isEmpty else { throw unknown }
        guard let route = routes.first(where: { $0.0 == method })?.1 else {
            throw GraphRefusal(405, "invalidRequest", "The method isn't allowed for this resource.")
        }
        address.route = route
    }
}

// MARK: - The drive

extension GraphAddressParser {
    private mutating func readOwner() throws(GraphRefusal) {
        switch next() {
        case "$batch": try end([(.POST, .batch)])
        case "me":
            address.owner = .me
            try readDriveOf(plain: .me)
        case "users":
            address.owner = .user(try decodedNext())
            try readDriveOf(plain: nil)
        case "drives":
            address.owner = .drive(try decodedNext())
            try readDrive()
        case "sites": try readSite()
        case "shares":
            address.owner = .share(try decodedNext())
            guard let segment = next() else { return try end([(.GET, .share)]) }
            switch GraphSegment.withoutColon(segment) {
            case "driveItem", "root": try readItem(.root, hasPath: segment.hasSuffix(":"))
            default: throw unknown
            }
        default: throw unknown
        }
    }

    private mutating func readDriveOf(plain: GraphRoute?) throws(GraphRefusal) {
        switch next() {
        case nil:
            guard let plain else { throw unknown }
            try end([(.GET, plain)])
        case "drive": try readDrive()
        case "drives": try end([(.GET, .drives)])
        default: throw unknown
        }
    }

    private mutating func readSite() throws(GraphRefusal) {
        guard let first = next() else { return try end([(.GET, .sites)]) }
        let host = try GraphText.decoded(GraphSegment.withoutColon(first))
        if first.hasSuffix(":") {
            address.owner = .sitePath(host: host, path: try readPath().joined(separator: "/"))
        } else {
            address.owner = host == "root" ? .sitePath(host: host, path: "") : .site(host)
        }
        switch next() {
        case nil: try end([(.GET, .site)])
        case "drive": try readDrive()
        case "drives": try end([(.GET, .drives)])
        case "recycleBin":
            guard next() == "items" else { throw unknown }
            try end([(.GET, .recycleBin)])
        default: throw unknown
        }
    }

    private mutating func readDrive() throws(GraphRefusal) {
        guard let segment = next() else { return try end([(.GET, .drive)]) }
        switch GraphSegment.withoutColon(segment) {
        case "root": try readItem(.root, hasPath: segment.hasSuffix(":"))
        case "items":
            guard let id = next(), !id.isEmpty else { throw unknown }
            let text = try GraphText.decoded(GraphSegment.withoutColon(id))
            if !id.hasSuffix(":"), let separator = text.firstRange(of: ":/") {
                // Microsoft's SDKs percent-encode an id and a path as one segment: `root%3A%2Ffolder%2Ffile%3A`.
                address.anchor = .id(String(text[..<separator.lowerBound]))
                let path = text[separator.upperBound...]
                address.path = (path.hasSuffix(":") ? path.dropLast() : path).split(separator: "/").map(String.init)
                return try readOperation()
            }
            try readItem(.id(try GraphText.decoded(GraphSegment.withoutColon(id))), hasPath: id.hasSuffix(":"))
        case "special":
            guard let name = next(), !name.isEmpty else { throw unknown }
            try readItem(.special(try GraphText.decoded(GraphSegment.withoutColon(name))), hasPath: name.hasSuffix(":"))
        default:
            let (word, argument) = try GraphSegment.function(segment)
            switch word {
            case "search":
                address.anchor = .root
                address.arguments = [try GraphSegment.required(argument)]
                try end([(.GET, .search)])
            case "sharedWithMe": try end([(.GET, .sharedWithMe)])
            default: throw unknown
            }
        }
    }
}

// MARK: - The item

extension GraphAddressParser {
    private mutating func readItem(_ anchor: GraphAddress.Anchor, hasPath: Bool) throws(GraphRefusal) {
        address.anchor = anchor
        if hasPath { address.path = try readPath() }
        try readOperation()
    }

    /// Reads the names behind a colon, up to the next one or to the end.
    private mutating func readPath() throws(GraphRefusal) -> [String] {
        var names: [String] = []
        // A colon and nothing but a slash, which rclone sends, is the item itself.
        if segments.count == 1, segments.first?.isEmpty == true {
            segments.removeFirst()
            return names
        }
        while let segment = next() {
            guard !segment.isEmpty, segment != ":" else { throw .invalid("The path has an empty segment.") }
            names.append(try GraphText.decoded(GraphSegment.withoutColon(segment)))
            if segment.hasSuffix(":") { return names }
        }
        guard !names.isEmpty else { throw .invalid("The path is empty.") }
        return names
    }

    private mutating func readOperation() throws(GraphRefusal) {
        guard let segment = next() else {
            return try end([(.GET, .item), (.PATCH, .update), (.DELETE, .delete), (.PUT, .commitUpload)])
        }
        let (word, argument) = try GraphSegment.function(segment)
        guard argument == nil || word == "search" || word == "delta" else { throw unknown }
        switch word {
        case "children": try end([(.GET, .children), (.POST, .createFolder)])
        case "content": try end([(.GET, .content), (.HEAD, .content), (.PUT, .upload)])
        case "createUploadSession": try end([(.POST, .createUploadSession)])
        case "copy": try end([(.POST, .copy)])
        case "createLink": try end([(.POST, .createLink)])
        case "restore": try end([(.POST, .restore)])
        case "permanentDelete": try end([(.POST, .permanentDelete)])
        case "delta":
            if let argument { address.arguments = [argument] }
            try end([(.GET, .delta)])
        case "search":
            address.arguments = [try GraphSegment.required(argument)]
            try end([(.GET, .search)])
        case "permissions": try readPermissions()
        case "thumbnails": try readThumbnails()
        case "versions": try readVersions()
        default: throw unknown
        }
    }

    private mutating func readPermissions() throws(GraphRefusal) {
        guard !segments.isEmpty else { return try end([(.GET, .permissions)]) }
        address.arguments = [try decodedNext()]
        try end([(.GET, .permission), (.DELETE, .deletePermission)])
    }

    private mutating func readThumbnails() throws(GraphRefusal) {
        guard !segments.isEmpty else { return try end([(.GET, .thumbnails)]) }
        address.arguments = [try decodedNext()]
        guard !segments.isEmpty else { return try end([(.GET, .thumbnailSet)]) }
        address.arguments.append(try decodedNext())
        guard !segments.isEmpty else { return try end([(.GET, .thumbnail)]) }
        guard next() == "content" else { throw unknown }
        try end([(.GET, .thumbnailContent)])
    }

    private mutating func readVersions() throws(GraphRefusal) {
        guard !segments.isEmpty else { return try end([(.GET, .versions)]) }
        address.arguments = [try decodedNext()]
        guard let segment = next() else { return try end([(.GET, .version), (.DELETE, .deleteVersion)]) }
        switch try GraphSegment.function(segment).word {
        case "content": try end([(.GET, .versionContent)])
        case "restoreVersion": try end([(.POST, .restoreVersion)])
        default: throw unknown
        }
    }
}
