public import FerryCore
import Foundation

/// The rule by which two files are the same.
public enum ComparisonRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// A checksum, where both storages tell one of the same kind; else size and date.
    case standard
    /// A checksum, where both storages tell one of the same kind, or contents, where both are on this machine; else
    /// nothing: the files are told apart.
    case checksum
    /// The size alone.
    case size
    /// Nothing: files are told apart, and copied again.
    case nothing
}

/// Indicates whether the file at the target has what the one at the source has.
public enum Sameness: Sendable, Hashable {
    /// As far as the rule can tell.
    case same
    /// Not the same, and why.
    case different(Difference)

    /// The difference between two files.
    public enum Difference: String, Sendable, Hashable, Codable {
        /// One is a folder, or a link, and the other isn't.
        case type
        case size
        case date
        case checksum
        /// A link leads elsewhere.
        case link
        /// Nothing that could be compared.
        case unknown
        /// The contents, which were read.
        case contents
    }
}

/// Compares files of two storages by what their listings tell.
public struct FileComparison: Sendable {
    /// The rule by which two files are the same.
    public var rule: ComparisonRule

    /// How exact the dates of the less exact storage are, in seconds; `nil` if one of them keeps none.
    private let precision: Double?

    /// Seconds that two listings of one unchanged file may differ by, at the source and at the target.
    let (sourceTolerance, targetTolerance): (Double, Double)

    /// Indicates whether a file at the target has the date of its source, or the one of its writing.
    private let keepsDates: Bool

    /// A Boolean value that indicates whether files are told apart by size, where neither checksums nor the dates of their
    /// contents can be compared: an edit that keeps the size may not be seen.
    public let tellsBySizeOnly: Bool
    /// The dates that files of the source can have been given, and those that files of the target can be given; `nil` for
    /// any.
    private let dates: (source: ClosedRange<Date>?, target: ClosedRange<Date>?)

    /// Makes a comparison.
    ///
    /// - Parameters:
    ///   - rule: The rule by which two files are the same.
    ///   - source: The abilities of the storage with the originals.
    ///   - target: The abilities of the storage with the copies.
    public init(_ rule: ComparisonRule, from source: FileProviderCapabilities, to target: FileProviderCapabilities) {
        self.rule = rule
        if let first = source.datePrecision, let second = target.datePrecision {
            precision = max(first, second) / .seconds(1)
        } else {
            precision = nil
        }
        (sourceTolerance, targetTolerance) = (Self.tolerance(source), Self.tolerance(target))
        keepsDates = target.setsModifiedDate
        tellsBySizeOnly =
            rule == .standard && (precision == nil || !keepsDates)
            && source.checksumKinds.isDisjoint(with: target.checksumKinds)
        dates = (source.settableDates, target.settableDates)
    }

    /// Listings whose dates lose digits with time, as those of FTP, tell two dates of one file.
    private static func tolerance(_ capabilities: FileProviderCapabilities) -> Double {
        guard let precision = capabilities.datePrecision, precision > .seconds(1) else { return 0.001 }
        return precision / .seconds(1)
    }

    /// Compares two items.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: The target's item at the same path.
    /// - Returns: The result of the comparison.
    public func compare(_ source: FileObject, with target: FileObject) -> Sameness {
        guard source.type == target.type else { return .different(.type) }
        switch source.type {
        case .directory: return .same
        case .symlink:
            let (first, second) = (source.extras[.linkDestination], target.extras[.linkDestination])
            guard let first, let second else { return .different(.unknown) }
            return first.hasSameBytes(as: second) ? .same : .different(.link)
        case .file, .other: break
        }
        if rule == .nothing { return .different(.unknown) }
        if let first = source.size, let second = target.size, first != second { return .different(.size) }
        if rule != .size, let same = checksumsAgree(source, target, byProof: rule != .checksum) {
            return same ? .same : .different(.checksum)
        }
        // A pipe or a device has none.
        let knowsSizes = source.type == .other || (source.size != nil && target.size != nil)
        switch rule {
        case .checksum, .nothing: return .different(.unknown)
        case .size: return knowsSizes ? .same : .different(.unknown)
        case .standard: return knowsSizes ? compareDates(source, target) : .different(.unknown)
        }
    }

    /// Returns whether the item at the target changed after the one at the source.
    ///
    /// - Parameters:
    ///   - target: The target's item.
    ///   - source: The original.
    /// - Returns: `false` also where nobody knows.
    public func isNewer(_ target: FileObject, than source: FileObject) -> Bool {
        guard let precision, let first = target.modifiedDate, let second = source.modifiedDate else { return false }
        return first.timeIntervalSince(second) > precision
    }

    /// Returns whether two files of which ``compare(_:with:)`` says that they are the same are so beyond doubt: the
    /// target's may then stand for the source's.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: The target's item.
    /// - Returns: `false` where only the sizes are equal, unless that is the rule.
    public func isCertain(_ source: FileObject, _ target: FileObject) -> Bool {
        if rule == .size || source.isSymbolicLink { return true }
        if checksumsAgree(source, target, byProof: true) == true { return true }
        guard keepsDates, let precision, let first = source.modifiedDate, let second = target.modifiedDate else {
            return keepsDates && source.modifiedDate != nil && target.modifiedDate != nil
        }
        return abs(second.timeIntervalSince(first)) <= precision
    }

    /// Returns whether two items have other dates, at a target that keeps them.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: The target's item.
    /// - Returns: `false` also where nobody knows.
    public func datesDiffer(_ source: FileObject, _ target: FileObject) -> Bool {
        guard let precision, let first = source.modifiedDate, let second = target.modifiedDate else { return false }
        return abs(second.timeIntervalSince(first)) > precision && !isKept(second, of: first)
            && !isUnkeepable(first, second)
    }

    /// Returns whether a date is another one with fewer digits, as exact storages tell that came by way of others.
    private func isKept(_ date: Date, of original: Date) -> Bool {
        precision.map { $0 < 0.01 } ?? false && original.isKept(as: date)
    }

    /// Returns whether one side can't keep the date that the other has: then its own date, that of its writing, tells
    /// nothing.
    private func isUnkeepable(_ source: Date, _ target: Date) -> Bool {
        dates.target.map { !$0.contains(source) } ?? false || dates.source.map { !$0.contains(target) } ?? false
    }

    /// Returns whether the checksums are the same.
    ///
    /// - Parameters:
    ///   - source: The original.
    ///   - target: The target's item.
    ///   - needsProof: `true` if a kind whose checksums can be the same by chance doesn't count where they are.
    /// - Returns: `nil` if there is no kind that both have, or none that counts.
    private func checksumsAgree(_ source: FileObject, _ target: FileObject, byProof needsProof: Bool) -> Bool? {
        guard let first = source.extras[.checksums], let second = target.extras[.checksums] else { return nil }
        let common = first.keys.filter { second[$0] != nil }
        guard common.allSatisfy({ $0.isSame(first[$0] ?? "", second[$0] ?? "") }) else { return false }
        return common.contains { !needsProof || $0.provesSameness } ? true : nil
    }

    private func compareDates(_ source: FileObject, _ target: FileObject) -> Sameness {
        // Where dates are not kept, the size is all there is.
        guard let precision, let first = source.modifiedDate, let second = target.modifiedDate else { return .same }
        if isUnkeepable(first, second) { return .same }
        let difference = second.timeIntervalSince(first)
        // The target's own date is that of the copying: it is older only if the source has changed since.
        let isSame =
            keepsDates ? abs(difference) <= precision || isKept(second, of: first) : difference >= -precision
        return isSame ? .same : .different(.date)
    }
}
