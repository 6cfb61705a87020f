import FerryCore
import Foundation

extension ConformanceCheck {
    /// A wrapper hides nothing of what it wraps.
    static let wrappers: [ConformanceCheck] =
        Wrapping.all.flatMap { wrapping in
            [
                Self(
                    ID(rawValue: "wrappers.\(wrapping.slug)-hides-nothing"),
                    "a \(wrapping.words) provider conforms to all that the provider conforms to, and to no more"
                ) { trial in
                    let abilities = FileProviderAbility.all + FileProviderAbility.own
                    trial.expectSameAbilities(wrapping.wrap(trial.provider), of: trial.provider, among: abilities)
                },
                Self(
                    ID(rawValue: "wrappers.\(wrapping.slug)-is-the-same-storage"),
                    "a \(wrapping.words) provider shows the same storage, with the same environment"
                ) { trial in
                    try await trial.plant(["a.txt": "a"])
                    let wrapper = wrapping.wrap(trial.provider)
                    trial.expect(wrapper == trial.provider, "\(wrapper) does not equal \(trial.provider)")
                    trial.expectEqual(wrapper.type, trial.provider.type, "the type")
                    trial.expect(wrapper.environment === trial.provider.environment, "the environment is another")
                    trial.expectEqual(wrapper.url(of: trial["a.txt"]), trial.provider.url(of: trial["a.txt"]), "URL")
                    let names = try await wrapper.contentsOfDirectory(path: trial.root).map(\.name)
                    trial.expectEqual(names, ["a.txt"], "names")
                },
            ]
        } + [
            Self(
                "wrappers.subject-hides-nothing",
                "a provider that is a wrapper conforms to all that its base conforms to, and to what it is known to add",
                needs: [.wrapper]
            ) { trial in
                let wrapper = try trial.require(trial.provider as? any FileProviderWrapper, "it is no wrapper")
                trial.expectSameAbilities(wrapper, of: wrapper.base, among: FileProviderAbility.all)
            }
        ]
}

/// A way to wrap a provider.
private struct Wrapping: Sendable {
    let slug: String
    let words: String
    let wrap: @Sendable (any FileProviderBasic) -> any FileProviderBasic

    static let all = [
        Wrapping(slug: "read-only", words: "read-only") { $0.wrappedReadOnly },
        Wrapping(slug: "retrying", words: "retrying") { $0.wrappedRetrying },
        Wrapping(slug: "fault-injecting", words: "fault-injecting") { $0.withFaults() },
        Wrapping(slug: "twice-wrapped", words: "twice wrapped") { $0.wrappedRetrying.wrappedReadOnly },
    ]
}

extension FileProviderBasic {
    fileprivate var wrappedReadOnly: any FileProviderBasic { ReadOnlyFileProvider(self) }
    fileprivate var wrappedRetrying: any FileProviderBasic { RetryingFileProvider(self) }
}

extension FileProviderBasic {
    /// The abilities that it adds, if it is a wrapper.
    fileprivate var addedAbilities: Set<String> {
        (self as? any FileProviderWrapper).map { Swift.type(of: $0).addedAbilities } ?? []
    }

    /// The abilities of its base that it says it must not have, if it is a wrapper; of a wrapper's wrapper, those of both.
    fileprivate var refusedAbilities: Set<String> {
        guard let wrapper = self as? any FileProviderWrapper else { return [] }
        return Swift.type(of: wrapper).refusedAbilities.union(wrapper.base.refusedAbilities)
    }
}

extension Trial {
    fileprivate func expectSameAbilities(
        _ wrapper: any FileProviderBasic,
        of base: any FileProviderBasic,
        among abilities: [FileProviderAbility],
        filePath: String = #filePath,
        line: Int = #line
    ) {
        let (added, refused) = (wrapper.addedAbilities, wrapper.refusedAbilities)
        for ability in abilities {
            let words = (ability.isHad(by: base), ability.isHad(by: wrapper))
            switch words {
            case (true, false) where !refused.contains(ability.name):
                fail("it hides \(ability.name)", filePath: filePath, line: line)
            case (true, true) where refused.contains(ability.name):
                fail("it has \(ability.name), which it is to refuse", filePath: filePath, line: line)
            case (false, false) where added.contains(ability.name):
                fail("it lacks \(ability.name), which it is to add", filePath: filePath, line: line)
            case (false, true) where !added.contains(ability.name):
                fail("it makes \(ability.name) up", filePath: filePath, line: line)
            default: continue
            }
        }
    }
}

/// A protocol by which callers find out, with `as?`, what a provider can do.
struct FileProviderAbility: Sendable {
    let name: String
    private let test: @Sendable (any FileProviderBasic) -> Bool

    func isHad(by provider: any FileProviderBasic) -> Bool { test(provider) }

    /// The public ones.
    static let all = [
        Self(name: "FileProviderBasicRemote") { $0 is any FileProviderBasicRemote },
        Self(name: "FileProviderOperations") { $0 is any FileProviderOperations },
        Self(name: "FileProviderReadWrite") { $0 is any FileProviderReadWrite },
        Self(name: "FileProviderReadWriteProgressive") { $0 is any FileProviderReadWriteProgressive },
        Self(name: "FileProviderConditionalReading") { $0 is any FileProviderConditionalReading },
        Self(name: "FileProviderMonitor") { $0 is any FileProviderMonitor },
        Self(name: "FileProviderUndoable") { $0 is any FileProviderUndoable },
        Self(name: "FileProviderSettingAside") { $0 is any FileProviderSettingAside },
        Self(name: "FileProviderSharing") { $0 is any FileProviderSharing },
        Self(name: "FileProviderSymbolicLink") { $0 is any FileProviderSymbolicLink },
        Self(name: "FileProviderChangeTracking") { $0 is any FileProviderChangeTracking },
        Self(name: "FileProviderVersioning") { $0 is any FileProviderVersioning },
        Self(name: "FileProviderBulkWriting") { $0 is any FileProviderBulkWriting },
        Self(name: "FileProviderFolderWriting") { $0 is any FileProviderFolderWriting },
        Self(name: "FileProviderPartialWriting") { $0 is any FileProviderPartialWriting },
        Self(name: "FileProviderTreeListing") { $0 is any FileProviderTreeListing },
        Self(name: "FileProviderItemAttributes") { $0 is any FileProviderItemAttributes },
        Self(name: "FileProviderBatchOperations") { $0 is any FileProviderBatchOperations },
        Self(name: "FileProviderDirectCopying") { $0 is any FileProviderDirectCopying },
        Self(name: "FileProviderChecksums") { $0 is any FileProviderChecksums },
        Self(name: "FileProviderBlockUpdating") { $0 is any FileProviderBlockUpdating },
        Self(name: "FileProviderLocking") { $0 is any FileProviderLocking },
        Self(name: "FileProviderTrash") { $0 is any FileProviderTrash },
        Self(name: "ExtendedFileProvider") { $0 is any ExtendedFileProvider },
        Self(name: "ConfigurableFileProvider") { $0 is any ConfigurableFileProvider },
        Self(name: "FileProviderTheming") { $0 is any FileProviderTheming },
        Self(name: "FileProviderServerDescribing") { $0 is any FileProviderServerDescribing },
        Self(name: "FileProviderLoginRevoking") { $0 is any FileProviderLoginRevoking },
    ]

    /// Those of this package's own, which wrappers of others can't have.
    static let own = [
        Self(name: "FileProviderLearning") { $0 is any FileProviderLearning },
        Self(name: "FileProviderNameFolding") { $0 is any FileProviderNameFolding },
        Self(name: "FileProviderWholeReading") { $0 is any FileProviderWholeReading },
        Self(name: "FileProviderBulkReading") { $0 is any FileProviderBulkReading },
        Self(name: "FileProviderListedReading") { $0 is any FileProviderListedReading },
        Self(name: "FileProviderDirectPartCopying") { $0 is any FileProviderDirectPartCopying },
    ]
}
