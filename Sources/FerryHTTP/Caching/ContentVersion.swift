import Foundation
package import HTTPTypes

/// The validators of an answer (RFC 9110 §8.8), which tell one content of a file from another.
package struct ContentVersion: Sendable, Hashable, Codable {
    /// The entity tag as the server gave it, `W/` and all; quotes are added where a server forgets them.
    package var eTag: String?

    /// `Last-Modified` as the server gave it.
    package var lastModified: String?

    /// Indicates whether the content had not changed for two seconds when the server answered, so that its date tells
    /// it from any later content (RFC 9110 §8.8.2.2 wants one second; many file systems keep dates of two).
    package var isSettled: Bool

    /// Reads the validators of an answer.
    ///
    /// - Parameter fields: The answer's fields.
    package init(_ fields: HTTPFields) {
        eTag = fields.text(.eTag).flatMap(Self.normalized)
        lastModified = fields.text(.lastModified).flatMap { $0.isEmpty ? nil : $0 }
        let modified = lastModified.flatMap { HTTPDate.parse($0) }
        let answered = fields.text(.date).flatMap { HTTPDate.parse($0) }
        if let modified, let answered {
            isSettled = answered.timeIntervalSince(modified) >= 2
        } else {
            isSettled = false
        }
    }

    /// A version of which only the entity tag is known.
    ///
    /// - Parameter eTag: As a listing or an answer told it.
    package init(eTag: String) {
        self.eTag = Self.normalized(eTag)
        isSettled = false
    }

    /// An entity tag in the form that HTTP wants.
    ///
    /// - Parameter tag: A field's value, or what a listing said.
    /// - Returns: With quotes; `nil` for nothing, and for what can't be in a field.
    package static func normalized(_ tag: String) -> String? {
        let isTrimmed =
            tag.utf8.first != 0x20 && tag.utf8.last != 0x20 && !tag.utf8.contains { $0 == 0x09 || $0 >= 0x80 }
        let text = isTrimmed ? tag : tag.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        let isWeak = text.hasPrefix("W/")
        let opaque = isWeak ? text.dropFirst(2) : text[...]
        let quote = UInt8(ascii: "\"")
        if opaque.utf8.count >= 2, opaque.utf8.first == quote, opaque.utf8.last == quote { return text }
        return opaque.utf8.contains(quote) ? nil : (isWeak ? "W/" : "") + "\"\(opaque)\""
    }

    /// The value for `If-Range` (RFC 9110 §13.1.5): a strong entity tag, else a date that tells contents apart.
    package var strongValidator: String? {
        if let eTag { return eTag.hasPrefix("W/") ? nil : eTag }
        return isSettled ? lastModified : nil
    }

    /// Indicates whether any later content would have another version, also on servers whose tags are made of whole
    /// seconds.
    package var tellsLaterContentApart: Bool {
        strongValidator != nil && (lastModified == nil || isSettled)
    }

    /// The entity tag without `W/`, for the weak comparison (RFC 9110 §8.8.3.2).
    private var opaqueTag: Substring? {
        eTag.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...] }
    }

    /// The result of comparing two contents.
    package enum Comparison: Sendable, Hashable {
        /// They are the same.
        case same
        /// They differ.
        case different
        /// Nobody can say.
        case unknown
    }

    /// Compares with the version of a later answer about the same file.
    ///
    /// - Parameters:
    ///   - other: The later version.
    ///   - size: Bytes of this content, if known.
    ///   - otherSize: Bytes of the later content, if known.
    /// - Returns: The result of the comparison.
    package func compare(to other: ContentVersion, size: Int64?, otherSize: Int64?) -> Comparison {
        if let size, let otherSize, size != otherSize { return .different }
        if let tag = opaqueTag, let otherTag = other.opaqueTag {
            if tag != otherTag { return .different }
            // A weak tag alone can stay when bytes change.
            let isStrong = strongValidator != nil || other.strongValidator != nil
            return isStrong || (size != nil && otherSize != nil) ? .same : .unknown
        }
        if let lastModified, let otherModified = other.lastModified {
            if lastModified != otherModified { return .different }
            return isSettled && size != nil && otherSize != nil ? .same : .unknown
        }
        return .unknown
    }
}
