import FerryCore
import Foundation
import HTTPTypes

/// How a file is to be written on a server of some traits, so that its name never shows half of it.
struct WebDAVWritePlan: Sendable, Hashable {
    /// Which way the content takes.
    enum Route: Sendable, Hashable {
        /// By one `PUT` to the name itself.
        case direct
        /// By a `PUT` to another name in the same folder, and a `MOVE`.
        case temporary
    }

    /// Which way the content takes.
    let route: Route

    /// The condition of the write.
    let condition: WebDAVRefusal.Condition

    /// Fields of the `PUT`.
    let fields: HTTPFields

    /// The eTag for the `If` field of the `PUT`.
    let ifETag: String?

    /// The eTag that the file must have when it is locked, and the new content about to take its place.
    let lockedETag: String?

    /// Indicates whether to look at what is there before the content is sent.
    let looksFirst: Bool

    /// Indicates whether the server has to be asked for the size of what it has stored.
    let verifiesSize: Bool

    /// Indicates whether the name shows half of the file if it breaks off, since nothing can be moved there: then
    /// nothing may be in its place.
    let isInPlace: Bool

    /// Indicates whether the caller would have a file replaced.
    let mayReplace: Bool

    /// More than this is not sent without having looked.
    static let smallLength: Int64 = 1 << 20

    /// Decides.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: The caller's options.
    ///   - length: Bytes in all; `nil` if that is not known.
    ///   - traits: The behaviour of the server.
    ///   - hasLocks: `true` if the server says that items can be locked.
    /// - Throws: `CocoaError.featureUnsupported` for a condition that the server does not look at;
    ///   ``PreconditionFailedError`` for one that no file can meet.
    init(path: ItemPath, options: WriteOptions, length: Int64?, traits: WebDAVTraits, hasLocks: Bool) throws {
        var fields = HTTPFields()
        var route: Route
        var condition: WebDAVRefusal.Condition
        var ifETag: String?
        var lockedETag: String?
        let isLong =
            traits.maximumPutNameLength.map { NameEscape.bytes(ofName: path.lastComponent).count > $0 } ?? false
        fields[.contentType] = options.contentType
        fields[.modifiedTime] = options.modifiedDate.flatMap(WebDAVConnection.modifiedTime)
        if let eTag = options.ifMatch {
            guard traits.checksETags(hasLocks: hasLocks), !isLong else {
                throw CocoaError.unsupported("a write that depends on the file's eTag", path: path)
            }
            guard let tag = Self.strong(eTag) else { throw PreconditionFailedError(path: path) }
            switch traits.eTagCondition {
            case .ifMatch: fields[.ifMatch] = tag
            case .ifHeader: ifETag = tag
            case .lock, .impossible: lockedETag = tag
            }
            (route, condition) = (lockedETag == nil ? .direct : .temporary, .unchanged)
        } else if options.overwrite {
            (route, condition) = (traits.replacesByPut && !isLong ? .direct : .temporary, .none)
        } else {
            let isDirect = traits.createsByPut && traits.absenceCondition == .ifNoneMatch && !isLong
            if isDirect { fields[.ifNoneMatch] = "*" }
            (route, condition) = (isDirect ? .direct : .temporary, .absence)
        }
        // Indicates whether the write would need another name, and can't be moved from there.
        let isBlocked = route == .temporary && traits.refusesMoves
        if isBlocked {
            (route, condition) = (.direct, .absence)
            if traits.absenceCondition == .ifNoneMatch { fields[.ifNoneMatch] = "*" }
        }
        isInPlace = isBlocked
        mayReplace = options.overwrite || options.ifMatch != nil
        let isLarge = length.map { $0 > Self.smallLength } ?? true
        looksFirst = isLarge || isBlocked || route == .temporary && (condition != .absence || !traits.guardsTargets)
        verifiesSize = !traits.checksLength || isBlocked
        self.fields = fields
        self.route = route
        self.condition = condition
        self.ifETag = ifETag
        self.lockedETag = lockedETag
    }

    /// The eTag as conditions want it: in quotes, and without `W/`, with which it would meet nothing (RFC 9110 §8.8.3.2).
    ///
    /// - Parameter eTag: An eTag, as a server or we write it.
    /// - Returns: The eTag; `nil` for what can't be one.
    static func strong(_ eTag: String) -> String? {
        var opaque = eTag[...]
        if opaque.hasPrefix("W/") { opaque = opaque.dropFirst(2) }
        if opaque.utf8.count > 1, opaque.hasPrefix("\""), opaque.hasSuffix("\"") {
            opaque = opaque.dropFirst().dropLast()
        }
        let isValid = opaque.utf8.allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
        return isValid ? "\"\(opaque)\"" : nil
    }
}
