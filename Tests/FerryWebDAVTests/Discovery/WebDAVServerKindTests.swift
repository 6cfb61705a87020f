import FerryWebDAV
import Testing

@Suite("Which server it is")
struct WebDAVServerKindTests {
    private static let apacheFileSystem = "<http://apache.org/dav/propset/fs/1>"
    private static let nginxMethods = "GET,HEAD,PUT,DELETE,MKCOL,COPY,MOVE,PROPFIND,OPTIONS,LOCK,UNLOCK"
    private static let golangMethods = "OPTIONS,LOCK,DELETE,PROPPATCH,COPY,MOVE,UNLOCK,PROPFIND"

    /// The answers of known servers, with locks and without.
    static let familiar: [(software: String, classes: Set<String>, methods: String, kind: WebDAVServerKind)] = [
        ("Apache/2.4.71 (Debian)", ["1", "2", apacheFileSystem], "", .apache),
        ("Apache", ["1", apacheFileSystem], "", .apache),
        ("nginx/1.22.1", ["2"], nginxMethods, .nginx),
        ("nginx/1.22.1", ["1"], nginxMethods, .nginx),
        ("lighttpd/1.4.69", ["1", "2", "3"], "", .lighttpd),
        ("lighttpd/1.4.69", ["1", "3"], "", .lighttpd),
        ("WsgiDAV/4.4.0 Cheroot/11.1.2 Python 3.11.2", ["1", "2"], "", .wsgidav),
        ("WsgiDAV/4.4.0 Cheroot/11.1.2 Python 3.11.2", ["1"], "", .wsgidav),
        ("rclone/v1.60.1-DEV", ["1", "2"], golangMethods, .golang),
        ("nginx", ["1", "3", "extended-mkcol", "nextcloud-checksum-update"], "", .nextcloud),
    ]

    @Test("is told by its name and its compliance classes, with locks and without", arguments: familiar)
    func known(_ server: (software: String, classes: Set<String>, methods: String, kind: WebDAVServerKind)) {
        let facts = WebDAVServerFacts(server.software, server.classes, server.methods)
        #expect(WebDAVServerKind(facts) == server.kind)
        #expect(facts.hasLocks == server.classes.contains("2"))
    }

    @Test(
        "rclone keeps dates as of the version that was seen to",
        arguments: [
            ("rclone/v1.60.1-DEV", false), ("rclone/v1.65.2", true), ("rclone/v1.75.2", true), ("rclone/v2.0.0", true),
            ("rclone/v1.75.0-beta.1.abc", true), ("rclone", false), ("", false),
        ]
    )
    func dates(software: String, keepsDates: Bool) {
        let facts = WebDAVServerFacts(software, ["1", "2"], Self.golangMethods)
        #expect(WebDAVServerKind(facts) == .golang)
        #expect(WebDAVTraits(facts).dateSetting == (keepsDates ? .field : .impossible))
    }

    /// Servers that only look like one that we know.
    static let foreign: [(software: String, classes: Set<String>, methods: String)] = [
        ("nginx/1.22.1", ["1"], "OPTIONS,GET,HEAD,PUT,DELETE,MKCOL,COPY,MOVE,PROPFIND,PROPPATCH"),
        ("nginx/1.22.1", ["1", "2", apacheFileSystem], ""),
        ("Apache/2.2.34", ["1", "2", apacheFileSystem], ""),
        ("Apache/2.4.71", ["1", "2"], ""),
        ("lighttpd/1.4.69", ["1", "2"], ""),
        ("", ["1", "2"], ""),
    ]

    @Test("is unknown when a proxy, an old version or somebody else may have answered", arguments: foreign)
    func strange(_ server: (software: String, classes: Set<String>, methods: String)) {
        #expect(WebDAVServerKind(WebDAVServerFacts(server.software, server.classes, server.methods)) == .unknown)
    }
}

extension WebDAVServerFacts {
    fileprivate init(_ software: String, _ classes: Set<String>, _ methods: String) {
        self.init()
        self.software = software
        complianceClasses = classes
        allowedMethods = Set(methods.split(separator: ",").map(String.init))
    }
}
