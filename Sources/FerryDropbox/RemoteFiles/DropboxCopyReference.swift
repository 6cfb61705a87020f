public import Foundation

/// A reference by which another account copies an item, by way of the same app.
public struct DropboxCopyReference: Sendable, Hashable, Codable {
    /// The text to hand on.
    public let text: String

    /// The date at which it stops working, decades from now.
    public let expires: Date?

    /// Makes a reference.
    ///
    /// - Parameters:
    ///   - text: The text that was handed on.
    ///   - expires: When it stops working.
    public init(text: String, expires: Date? = nil) {
        self.text = text
        self.expires = expires
    }
}
