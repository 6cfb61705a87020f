package import FerryCore
import Foundation

extension WebDAVTraits {
    /// The dates that files can be given; `nil` if no limit is known.
    private var settableDates: ClosedRange<Date>? {
        switch dateSetting {
        case .field, .seconds: WebDAVConnection.fieldDates
        case .win32, .lastModified, .impossible: nil
        }
    }

    /// Returns what these traits allow us to promise.
    ///
    /// A change that a server can't make atomically is made by way of a temporary name, so that is promised for all.
    /// Nothing is promised for a server that was not asked (`isKnown`): it may not even be a WebDAV server.
    ///
    /// - Parameters:
    ///   - isKnown: `true` if the server was asked what it is.
    ///   - hasLocks: `true` if it says that items can be locked.
    /// - Returns: The capabilities.
    package func capabilities(isKnown: Bool, hasLocks: Bool = false) -> FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.recommendedConcurrency = 8
        // HTTP's dates have whole seconds (RFC 9110 §5.6.7).
        capabilities.datePrecision = .seconds(1)
        capabilities.isCaseSensitive = isCaseSensitive
        capabilities.distinguishesNormalizationForms = distinguishesNormalizationForms
        capabilities.forbiddenCharacters = allForbiddenCharacters
        capabilities.maximumNameLength = maximumNameLength
        capabilities.listsDotNames = listsDotNames
        // Reading alone tells it, where it does.
        capabilities.readsRanges = readsRanges
        guard isKnown else { return capabilities }
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = !refusesMoves || createsByPut && replacesByPut
        capabilities.createsExclusively = createsExclusively
        let locks = hasLocks && !hasIdleLocks
        capabilities.writesConditionally = checksETags(hasLocks: locks)
        capabilities.locksItems = locks
        if tellsSHA1 { capabilities.checksumKinds = [.sha1] }
        capabilities.setsModifiedDate = dateSetting != .impossible
        capabilities.settableDates = settableDates
        return capabilities
    }

    /// Returns whether a write can depend on a file's eTag.
    ///
    /// - Parameter hasLocks: `true` if the server says that items can be locked.
    /// - Returns: `true` if the server compares eTags, by itself or under a lock.
    func checksETags(hasLocks: Bool) -> Bool {
        switch eTagCondition {
        case .impossible: false
        case .ifMatch, .ifHeader: replacesByPut
        case .lock: hasLocks
        }
    }

    private static let controlCharacters: String = {
        var text = String.UnicodeScalarView()
        for value in UInt8(1)..<0x20 { text.append(Unicode.Scalar(value)) }
        text.append(Unicode.Scalar(0x7F))
        return String(text)
    }()

    /// The scalars that stand in a name for bytes that are not UTF-8.
    private static let strayBytes: String = (0x80...0xFF).map { NameEscape.name(ofBytes: [$0]) }.joined()

    var allForbiddenCharacters: String {
        (takesControlCharacters ? "" : Self.controlCharacters) + (takesAnyBytes ? "" : Self.strayBytes)
            + forbiddenCharacters
    }

    private static let controlScalars = Set(controlCharacters.unicodeScalars)
    private static let strayScalars = Set(strayBytes.unicodeScalars)

    /// Returns whether a scalar is one of ``allForbiddenCharacters``.
    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        (!takesControlCharacters && Self.controlScalars.contains(scalar))
            || (!takesAnyBytes && Self.strayScalars.contains(scalar))
            || forbiddenCharacters.unicodeScalars.contains(scalar)
    }

    /// Returns the reason for which an item can't have a name.
    ///
    /// - Parameter name: The name, as it stands in a path.
    /// - Returns: The reason in words; `nil` if nothing speaks against it.
    package func problem(withName name: some StringProtocol) -> String? {
        let bytes = NameEscape.bytes(ofName: name)
        if let problem = Self.problem(withBytes: bytes) { return problem }
        if let limit = maximumNameLength, bytes.count > limit {
            return "the name has \(bytes.count) bytes, and \(limit) are allowed"
        }
        let text = String(validating: bytes, as: UTF8.self)
        if text == nil, !takesAnyBytes { return "the name is not UTF-8" }
        if let text, reservedNames.contains(text) { return "the server keeps the name for itself" }
        if let scalar = (text ?? "").unicodeScalars.first(where: isForbidden) {
            return "the name has the character \(String(scalar).debugDescription), which the server does not allow"
        }
        return nil
    }

    /// Returns the reason for which no item on any server can have a name: in a URL it would lead elsewhere.
    ///
    /// - Parameter bytes: The name.
    /// - Returns: The reason in words; `nil` if nothing speaks against it.
    package static func problem(withBytes bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "the name is empty" }
        if bytes.contains(UInt8(ascii: "/")) || bytes.contains(0) { return "the name has a slash or a NUL" }
        let dots = UInt8(ascii: ".")
        return bytes == [dots] || bytes == [dots, dots] ? "the name means a folder by its place" : nil
    }
}
