import Foundation

/// A part of the rules, for a subject that is much like one that is tried on all of them.
///
/// One subject for each protocol runs every rule; its further servers, logins and wrappers run what can differ there.
/// `FERRY_DEEP=1` in the environment makes every scope ``all``.
package enum ConformanceScope: Sendable, CaseIterable {
    /// Every rule.
    case all

    /// The rules about the storage itself. Handler forms, delegates and wrappers are derived from it by code that is the
    /// same for all providers.
    case storage

    /// The rules for a wrapper, and for another setting of a provider whose names were tried: the storage's, with five
    /// of the awkward names, and those about wrappers.
    case wrapper

    /// The rules for a further server of a protocol: what servers differ in.
    case server

    /// The rules for another way into a server, by its login or with TLS.
    case access

    /// The rules about reading, for the modes of a cache.
    case reading

    /// Returns the rules of the scope, in their usual order.
    ///
    /// - Parameter deviations: The subject's declared deviations, which are always tried, so that the list stays true.
    /// - Returns: The rules; all of them when `FERRY_DEEP` is `1`.
    package func checks(deviations: some Sequence<ConformanceCheck.ID> = []) -> [ConformanceCheck] {
        guard self != .all, ProcessInfo.processInfo.environment["FERRY_DEEP"] != "1" else {
            return ConformanceCheck.all
        }
        let deviations = Set(deviations)
        return ConformanceCheck.all.filter { contains($0) || deviations.contains($0.id) }
    }

    private func contains(_ check: ConformanceCheck) -> Bool {
        switch self {
        case .all: true
        case .storage: !check.isDerived
        case .wrapper: (!check.isDerived || check.group == "wrappers") && !check.isAboutFurtherNames
        case .server: ["names", "errors", "overwriting", "situations"].contains(check.group)
        case .access: ["errors", "situations"].contains(check.group)
        case .reading: Self.readingGroups.contains(check.group)
        }
    }

    private static let readingGroups: Set<String> = [
        "properties", "errors", "sizes", "ranges", "paging", "streams", "dates", "searching", "links", "tracking",
        "versions",
    ]
}

extension ConformanceCheck {
    /// A Boolean value that indicates whether the rule is about code that is derived once for all providers, from what
    /// each of them implements: handler forms, delegates and wrappers.
    package var isDerived: Bool { ["handlers", "delegates", "wrappers"].contains(group) }

    /// A Boolean value that indicates whether the rule is about one of the awkward names that only storages can spoil.
    ///
    /// A wrapper passes names on; five of them show that it does.
    var isAboutFurtherNames: Bool {
        guard let slug = AwkwardName.slug(ofRule: id) else { return false }
        return !AwkwardName.few.contains(slug)
    }
}
