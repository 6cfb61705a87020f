public import FerryCore

/// A link whose target can be shown inside of another web page.
public struct OneDriveEmbedding: Sendable, Hashable, Codable {
    /// The link.
    public let link: ShareLink

    /// HTML with a frame that shows the item, as the service gives it; `nil` if it gives none.
    public let html: String?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - html: HTML with a frame that shows the item.
    public init(link: ShareLink, html: String?) {
        self.link = link
        self.html = html
    }
}
