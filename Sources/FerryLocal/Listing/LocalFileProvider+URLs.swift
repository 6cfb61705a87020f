public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// The item's `file:` URL.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: A URL below ``baseURL``, or `nil` for paths by identifier and for names that no file can have.
    public func url(of path: ItemPath) -> URL? {
        guard let baseURL, (try? RawPath(path)) != nil,
            var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        else { return nil }
        var folder = components.percentEncodedPath
        while folder.hasSuffix("/") { folder.removeLast() }
        components.percentEncodedPath = folder + path.percentEncoded
        return components.url
    }
}
