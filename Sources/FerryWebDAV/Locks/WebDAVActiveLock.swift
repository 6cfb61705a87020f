import FerryCore
import FerryHTTP
import Foundation

/// Reads what servers say of locks: `activelock` elements (RFC 4918 §14.1).
enum WebDAVActiveLock {
    /// The locks in a `lockdiscovery`.
    ///
    /// - Parameters:
    ///   - discovery: The property.
    ///   - path: The item that was asked about; what a lock says of its root goes before it.
    ///   - connection: The connection that the URLs are of.
    /// - Returns: The locks that have a token.
    static func locks(in discovery: WebDAVElement, on path: ItemPath, connection: WebDAVConnection) -> [FileLock] {
        discovery.children.filter { $0.name.name == "activelock" }.compactMap { element in
            lock(element, on: path, connection: connection)
        }
    }

    private static func lock(_ element: WebDAVElement, on path: ItemPath, connection: WebDAVConnection) -> FileLock? {
        guard let token = element.first("locktoken")?.first("href")?.text.trimmed, !token.isEmpty else { return nil }
        let root = element.first("lockroot")?.first("href")?.text.trimmed
        return FileLock(
            path: root.flatMap(connection.path(ofHref:)) ?? path,
            token: token,
            scope: element.first("lockscope")?.first("shared") == nil ? .exclusive : .shared,
            includesItemsBelow: element.first("depth")?.text.trimmed.lowercased() != "0",
            owner: element.first("owner").flatMap(words),
            expires: element.first("timeout").flatMap { expiry(of: $0.text.trimmed, now: connection.now()) }
        )
    }

    /// The text of an element and of all in it, since an owner is whatever its maker sent.
    private static func words(of element: WebDAVElement) -> String? {
        let text = ([element.text] + element.children.compactMap(words)).joined(separator: " ").trimmed
        return text.isEmpty ? nil : text
    }

    /// `Second-600`, `Infinite`, or several of them, of which the first counts (RFC 4918 §10.7).
    static func expiry(of text: String, now: Date) -> Date? {
        guard let first = text.split(separator: ",").first, first.lowercased().hasPrefix("second-"),
            let seconds = Double(first.dropFirst(7)), seconds >= 0, seconds < 1e10
        else { return nil }
        return now.addingTimeInterval(seconds)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension WebDAVConnection {
    /// The item that an href of our own server is about; `nil` if it is elsewhere.
    ///
    /// - Parameter href: A URL, or the path of one.
    /// - Returns: The item.
    func path(ofHref href: String) -> ItemPath? {
        let absolute = href.hasPrefix("/") ? origin.url(href) : href
        guard let base = URL(string: origin.url(basePath + "/")), var url = URL(string: absolute) else { return nil }
        if let host = url.host(percentEncoded: true)?.lowercased(), facts.otherHosts.contains(host) {
            url = URL(string: origin.url(url.path(percentEncoded: true))) ?? url
        }
        return ItemPath(url: url, relativeTo: base)
    }
}
