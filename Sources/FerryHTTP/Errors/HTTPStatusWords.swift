/// The meaning of each status code, in words for a person.
///
/// All codes that IANA has registered ("Hypertext Transfer Protocol (HTTP) Status Code Registry"), and what common
/// servers and proxies have added.
struct HTTPStatusWords {
    /// The event, in words.
    let description: String

    /// Advice for a person, where there is any.
    let suggestion: String?

    init(_ code: Int) {
        if let words = Self.registered[code] ?? Self.unregistered[code] {
            self = words
        } else {
            let kind =
                switch code {
                case 100..<200: "went on"
                case 200..<300: "agreed"
                case 300..<400: "pointed elsewhere"
                case 400..<500: "refused the request"
                default: "failed"
                }
            self.init("the server \(kind)")
        }
    }

    private init(_ description: String, _ suggestion: String? = nil) {
        self.description = description
        self.suggestion = suggestion
    }

    private static let tryLater = "try again later"
    private static let askAdministrator = "tell whoever runs the server"

    /// RFC 9110 §15, where no other is named.
    private static let registered: [Int: HTTPStatusWords] = [
        100: Self("the server waits for the rest of the request"),
        101: Self("the server changes to another protocol"),
        102: Self("the server is still working on it"),  // RFC 2518 §10.1
        103: Self("the server gave early hints"),  // RFC 8297
        104: Self("the server can resume the upload"),  // draft-ietf-httpbis-resumable-upload, registered for a time
        200: Self("done"),
        201: Self("made"),
        202: Self("taken, to be done later"),
        203: Self("done, changed on the way"),
        204: Self("done, nothing to show"),
        205: Self("done, start afresh"),
        206: Self("a part of the content"),
        207: Self("several results in one answer"),  // RFC 4918 §11.1
        208: Self("reported before"),  // RFC 5842 §7.1
        226: Self("changes since another version"),  // RFC 3229 §10.4.1
        300: Self("there are several to choose from"),
        301: Self("moved to another address for good", "use the new address"),
        302: Self("found at another address for now"),
        303: Self("the answer is at another address"),
        304: Self("not changed"),
        305: Self("to be had through a proxy only"),
        306: Self("the server answered with a status that is no longer used"),
        307: Self("at another address for now"),
        308: Self("at another address for good", "use the new address"),
        400: Self("the server did not understand the request"),
        401: Self("the server wants a valid login", "check user and password, or log in again"),
        402: Self("the server wants to be paid first"),
        403: Self("the server does not allow it", "check the permissions of this login"),
        404: Self("no such item on the server", "check the name, or list the folder it should be in"),
        405: Self("the server can't do that with this item"),
        406: Self("the server has it in no form that was asked for"),
        407: Self("the proxy wants a valid login", "check the proxy's user and password"),
        408: Self("the server got tired of waiting for the request", "check the connection and try again"),
        409: Self("the item's state does not allow it", "check that the folder it is to be in exists"),
        410: Self("the item is gone for good"),
        411: Self("the server wants to know the length beforehand"),
        412: Self("changed meanwhile", "look at it again, then repeat what you meant to do"),
        413: Self("the server does not take contents that large", "send less, or have the server's limit raised"),
        414: Self("the path is too long for the server", "use shorter names, or fewer folders in each other"),
        415: Self("the server does not take this kind of content"),
        416: Self("the content has no such part", "look at its size again"),
        417: Self("the server can't keep to what was expected of it"),
        418: Self("the server answered with a status that is no longer used"),
        421: Self("the wrong server was asked", "check the server's name"),
        422: Self("the server understood the request, but can't do it"),
        423: Self("the item is locked", "try again when the lock has ended, or end the lock"),  // RFC 4918 §11.3
        424: Self("not done, because something before it failed"),  // RFC 4918 §11.4
        425: Self("too early to be safe", "try again"),  // RFC 8470 §5.2
        426: Self("the server wants another protocol"),
        428: Self("the server wants to be told which version is meant"),  // RFC 6585 §3
        429: Self("too many requests", "wait a little, or do less at a time"),  // RFC 6585 §4
        431: Self("the request's fields are too long for the server", "use shorter names"),  // RFC 6585 §5
        451: Self("not to be had for legal reasons"),  // RFC 7725
        500: Self("the server has failed", askAdministrator),
        501: Self("the server can't do that at all"),
        502: Self("the server behind the server gave no proper answer", tryLater),
        503: Self("the server is busy or being serviced", tryLater),
        504: Self("the server behind the server gave no answer in time", tryLater),
        505: Self("the server does not speak this version of HTTP"),
        506: Self("the server can't decide which form to send", askAdministrator),  // RFC 2295 §8.1
        507: Self("the storage is full", "make room and try again"),  // RFC 4918 §11.5
        508: Self("the server found a folder that contains itself", askAdministrator),  // RFC 5842 §7.2
        510: Self("the server wants an extension of HTTP that is no longer used"),  // RFC 2774 §7
        511: Self("the network wants a login first", "open a web page and log in to the network"),  // RFC 6585 §6
    ]

    /// Unregistered codes that many send: proxies of nginx and Cloudflare, IIS, Nextcloud's brute force guard.
    private static let unregistered: [Int: HTTPStatusWords] = [
        419: Self("the login has expired", "log in again"),
        420: Self("too many requests", "wait a little, or do less at a time"),
        440: Self("the login has expired", "log in again"),
        444: Self("the server closed the connection without an answer"),
        494: Self("the request's fields are too long for the server", "use shorter names"),
        495: Self("the server does not take the client's certificate"),
        496: Self("the server wants a client's certificate"),
        497: Self("the server wants HTTPS here", "write https:// instead of http://"),
        499: Self("the connection was closed before the server answered"),
        509: Self("the server's bandwidth is used up", tryLater),
        520: Self("the server behind the proxy gave no proper answer", tryLater),
        521: Self("the server behind the proxy is down", tryLater),
        522: Self("the server behind the proxy can't be reached", tryLater),
        523: Self("the server behind the proxy can't be reached", tryLater),
        524: Self("the server behind the proxy gave no answer in time", tryLater),
        525: Self("the proxy could not make a safe connection to the server", askAdministrator),
        526: Self("the proxy does not trust the server's certificate", askAdministrator),
        529: Self("the server is overloaded", tryLater),
        530: Self("the server is frozen or can't be reached", tryLater),
        598: Self("the server behind the proxy gave no answer in time", tryLater),
        599: Self("the server behind the proxy gave no answer in time", tryLater),
    ]

    /// For tests: the codes that have words of their own.
    static var registeredCodes: Set<Int> { Set(registered.keys) }
}
