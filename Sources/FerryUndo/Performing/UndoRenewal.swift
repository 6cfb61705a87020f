public import FerryCore
import Foundation

/// An item came back as another: with the same content, and a new identity or version.
///
/// Notes about the old one from before are from then on about the new one.
public struct UndoRenewal: Sendable, Hashable, Codable {
    /// The path at which it came back.
    public var path: ItemPath
    /// The item as it was.
    public var old: ItemStamp
    /// The item as it is.
    public var new: ItemStamp

    /// The item that it took the place of, if that is one of the storage's versions now: it may have taken the place of
    /// another version with the same date.
    public var displaced: ItemStamp?

    /// Makes a value, if there is anything new.
    init?(_ path: ItemPath, from old: ItemStamp?, to new: ItemStamp?, displacing displaced: ItemStamp? = nil) {
        guard let old, let new, old.type == new.type, !old.isSame(as: new) || displaced != nil else { return nil }
        (self.path, self.old, self.new, self.displaced) = (path, old, new, displaced)
    }
}

extension ItemStamp {
    /// Returns whether identity and version, size and date are the same.
    func isSame(as other: ItemStamp) -> Bool {
        id == other.id && eTag == other.eTag && size == other.size && modified == other.modified
    }

    /// Returns whether a storage that tells versions apart by their date may have kept this one in the place of the
    /// other.
    fileprivate func isMistakable(for other: ItemStamp) -> Bool {
        guard size == other.size, let modified, let date = other.modified, eTag == nil || eTag != other.eTag else {
            return false
        }
        return Int64(modified.timeIntervalSince1970) == Int64(date.timeIntervalSince1970)
    }

    fileprivate func renewed(_ path: ItemPath, _ renewals: [UndoRenewal]) -> ItemStamp {
        var stamp = self
        for renewal in renewals where renewal.path == path && renewal.old.isSame(as: stamp) {
            (stamp.id, stamp.eTag, stamp.size) = (renewal.new.id, renewal.new.eTag, renewal.new.size)
            stamp.modified = renewal.new.modified
        }
        return stamp
    }
}

extension UndoStep {
    /// The same about what items are now.
    ///
    /// - Parameter renewals: The items that came back as others, in that order.
    /// - Returns: The step, whose notes hold for the new items.
    public func renewed(_ renewals: [UndoRenewal]) -> UndoStep {
        if renewals.isEmpty { return self }
        switch self {
        case .made(let path, let stamp): return .made(folder: path, stamp?.renewed(path, renewals))
        case .unmade(let path, let stamp): return .unmade(folder: path, stamp.renewed(path, renewals))
        case .moved(let source, let target, let stamp):
            return .moved(from: source, to: target, stamp?.renewed(target, renewals))
        case .added(let path, let stamp, .original(let source, let original)?):
            return .added(
                path,
                stamp?.renewed(path, renewals),
                again: .original(source, original.renewed(source, renewals))
            )
        case .added(let path, let stamp, let again):
            return .added(path, stamp?.renewed(path, renewals), again: again)
        case .removed(let path, let former, .original(let source, let original)?):
            return .removed(path, former, .original(source, original.renewed(source, renewals)))
        case .removed(let path, let former, let kept): return .removed(path, former, kept)
        case .replaced(let path, let left, let former, .soughtVersion(var sought)?):
            sought.isDoubtful =
                sought.isDoubtful
                || renewals.contains { $0.path == path && $0.displaced?.isMistakable(for: former) == true }
            return .replaced(path, left: left?.renewed(path, renewals), former: former, .soughtVersion(sought))
        case .replaced(let path, let left, let former, let kept):
            return .replaced(path, left: left?.renewed(path, renewals), former: former, kept)
        case .changed(let path, let left, let old, let new):
            return .changed(path, left: left.renewed(path, renewals), from: old, to: new)
        case .lost: return self
        }
    }

    /// Returns what came back as another, when a step was turned into others.
    ///
    /// - Parameter turned: The steps that turning it round has done.
    /// - Returns: Renewals.
    package func renewals(turnedInto turned: [UndoStep]) -> [UndoRenewal] {
        turned.compactMap { now in
            switch (self, now) {
            case (.unmade(let path, let old), .made(_, let new)): UndoRenewal(path, from: old, to: new)
            case (.removed(let path, let old, _), .added(_, let new, _)): UndoRenewal(path, from: old, to: new)
            case (.replaced(let path, _, let old, _), .replaced(_, let new, let displaced, let kept)):
                UndoRenewal(path, from: old, to: new, displacing: kept?.way == .version ? displaced : nil)
            case (.moved(_, _, let old), .moved(_, let path, let new)): UndoRenewal(path, from: old, to: new)
            default: nil
            }
        }
    }
}
