/// An item came back as another: with the same content, and a new identity or version.
///
/// What was noted of the old one before is from then on about the new one.
public struct UndoRenewal: Sendable, Hashable, Codable {
    /// Where it came back.
    public var path: ItemPath
    /// What it was.
    public var old: ItemStamp
    /// What it is.
    public var new: ItemStamp

    /// Makes a value, if there is anything new.
    init?(_ path: ItemPath, from old: ItemStamp?, to new: ItemStamp?) {
        guard let old, let new, old.type == new.type, !old.isSame(as: new) else { return nil }
        (self.path, self.old, self.new) = (path, old, new)
    }
}

extension ItemStamp {
    /// Whether identity and version, size and date are the same.
    func isSame(as other: ItemStamp) -> Bool {
        id == other.id && eTag == other.eTag && size == other.size && modified == other.modified
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
    /// - Parameter renewals: What came back as another, in that order.
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
        case .replaced(let path, let left, let former, let kept):
            return .replaced(path, left: left?.renewed(path, renewals), former: former, kept)
        case .changed(let path, let left, let old, let new):
            return .changed(path, left: left.renewed(path, renewals), from: old, to: new)
        case .lost: return self
        }
    }

    /// What came back as another, when a step was turned into others.
    ///
    /// - Parameter turned: What turning it round has done.
    /// - Returns: Renewals.
    func renewals(turnedInto turned: [UndoStep]) -> [UndoRenewal] {
        turned.compactMap { now in
            switch (self, now) {
            case (.unmade(let path, let old), .made(_, let new)): UndoRenewal(path, from: old, to: new)
            case (.removed(let path, let old, _), .added(_, let new, _)): UndoRenewal(path, from: old, to: new)
            case (.replaced(let path, _, let old, _), .replaced(_, let new, _, _)):
                UndoRenewal(path, from: old, to: new)
            case (.moved(_, _, let old), .moved(_, let path, let new)): UndoRenewal(path, from: old, to: new)
            default: nil
            }
        }
    }
}
