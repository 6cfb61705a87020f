public import FerryCore

/// One rule that holds for every provider, ready to be tried on one of them.
///
/// A provider's test target joins with a handful of lines:
///
/// ```swift
/// @Test("behaves as every provider must", arguments: ConformanceCheck.all)
/// func conforms(to check: ConformanceCheck) async throws {
///     try await check.run(on: ConformanceSubject { MemoryFileProvider() })
/// }
/// ```
public struct ConformanceCheck: Sendable, Identifiable {
    /// An identifier that tells a rule from others: its group and a short name, as in `removing.full-folder`.
    public struct ID: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        /// The group and the short name, with a dot between them.
        public let rawValue: String

        /// Makes an identifier.
        ///
        /// - Parameter rawValue: The group and the short name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes an identifier from text in the source code.
        ///
        /// - Parameter value: The group and the short name.
        public init(stringLiteral value: String) {
            self.init(rawValue: value)
        }
    }

    /// The identifier that tells the rule from others.
    public let id: ID

    /// The rule in words.
    public let title: String

    let needs: [ConformanceNeed]
    let body: @Sendable (Trial) async throws -> Void

    init(
        _ id: ID,
        _ title: String,
        needs: [ConformanceNeed] = [],
        body: @escaping @Sendable (Trial) async throws -> Void
    ) {
        self.id = id
        self.title = title
        self.needs = needs
        self.body = body
    }

    /// The first half of the identifier.
    public var group: String { String(id.rawValue.prefix { $0 != "." }) }

    /// Returns whether the rule says anything about a provider, by its protocols and capabilities.
    ///
    /// A rule that is applicable may still find at run time that a ``ConformanceSituation`` can't be brought about.
    ///
    /// - Parameter provider: Any provider.
    /// - Returns: `false` where the rule can't be tried.
    public func isApplicable(to provider: any FileProviderBasic) -> Bool {
        reasonNotToRun(on: provider) == nil
    }

    func reasonNotToRun(on provider: any FileProviderBasic) -> String? {
        needs.first { !$0.isMet(provider) }.map { "it takes \($0.words)" }
    }
}

extension ConformanceCheck.ID: CustomStringConvertible {
    /// The group and the short name.
    public var description: String { rawValue }
}
