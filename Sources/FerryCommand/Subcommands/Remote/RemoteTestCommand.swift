import ArgumentParser
import FerryCore
import Foundation

/// `ferry remote test`: whether a remote works, and what it can do.
struct RemoteTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Say whether a remote works, and what it can do.",
        discussion: """
            Lists its top folder, asks for the room on it, and what it can do. A server
            is tried out with a temporary file, which is removed again; what is found is
            kept with the remote. The exit code is 0 if it works, and 1 if not.

            With --full each ability is tried, in a folder '.ferry-test-…' that is removed
            at the end; for services that ferry was proven against by emulation only, that
            is so without being said. The report has no secrets in it.

            EXAMPLES
              ferry remote test work
              ferry remote test work --full
              ferry remote test work --json | jq .abilities
            """
    )

    @Argument(help: .remoteName("The remote."))
    var name: String

    @Flag(inversion: .prefixedNo, help: "Try each ability in a folder of the test's own.")
    var full: Bool?

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            let remote = try await session.storages.remotes.existing(name)
            let location = try await session.storages.location(remote.name + ":")
            // Itself, with all that it alone can do.
            let provider = location.storage.withoutRecording
            try await session.attempt(location) {
                let start = ContinuousClock.now
                var items = 0
                for try await page in location.storage.directoryListing(path: .root) { items += page.count }
                let time = start.duration(to: .now)
                let server = try await (provider as? any FileProviderServerDescribing)?.describeServer()
                // So that later runs know it, too.
                await session.storages.keepFacts(
                    of: try await session.storages.remotes.existing(remote.name),
                    from: provider,
                    replacing: remote.configuration.kind?.learnedOptions ?? []
                )
                var report = RemoteReport(
                    remote: remote,
                    secretPlace: try await session.storages.secrets.own(remote).place(of: remote.configuration.account),
                    provider: provider,
                    hasLocks: server?.hasLocks ?? (provider is any FileProviderLocking),
                    takesParts: try await Self.takesParts(provider),
                    server: server.map { [$0.kind, $0.software].compactMap { $0 }.joined(separator: ", ") },
                    items: items,
                    time: time,
                    volume: try await provider.storageProperties()
                )
                if full ?? remote.configuration.kind?.isTriedInFull ?? false, !provider.capabilities.isReadOnly {
                    report.outcomes = try await RemoteTrial(provider).run(
                        report.abilities.filter(\.isThere).map(\.name)
                    )
                }
                if let better = server?.betterKind {
                    session.console.tell(TerminalText.oneLine("ferry: \(remote.name): note: \(better.reason)"))
                }
                if json {
                    try report.writeJSON(to: session.output)
                } else {
                    try report.write(to: session.output, styling: session.styling)
                }
                let failures = report.failures.count
                if failures > 0 {
                    throw CocoaError.location(
                        remote.name,
                        failures == 1 ? "one ability failed" : "\(failures) abilities failed",
                        "see the lines with ✗"
                    )
                }
                if !report.interruptions.isEmpty {
                    throw CocoaError.location(
                        remote.name,
                        "\(Quantity.count(report.interruptions.count, "trial")) broke off",
                        "run the test again, since this may pass"
                    )
                }
            }
        }
    }

    private static func takesParts(_ provider: any FileProviderBasic) async throws -> Bool {
        guard let provider = provider as? any FileProviderPartialWriting else { return false }
        return try await provider.partialWriteLimits(length: 1 << 30) != nil
    }
}

/// The findings of a test of a remote.
private struct RemoteReport {
    let remote: Remote
    let secretPlace: String?
    let provider: any FileProviderBasic
    let hasLocks: Bool
    /// Indicates whether a large file can be written in parts, so that an upload that breaks off goes on.
    let takesParts: Bool
    let server: String?
    let items: Int
    let time: Duration
    let volume: VolumeObject

    /// The outcomes of trying abilities, by the abilities' names.
    var outcomes: [String: RemoteTrial.Outcome] = [:]

    /// The names of the abilities that were tried, whatever came of it.
    var tried: [String] {
        abilities.map(\.name).filter { name in
            switch outcomes[name] {
            case .works, .fails: true
            case .untried, .interrupted, nil: false
            }
        }
    }

    /// The abilities that are not what they must be, with the words for it.
    var failures: [(name: String, words: String)] {
        (abilities.map(\.name) + [RemoteTrial.cleaningUp]).compactMap { name in
            if case .fails(let words) = outcomes[name] { (name, words) } else { nil }
        }
    }

    /// The abilities whose trial was broken off by a failure that may pass, with the words for it.
    var interruptions: [(name: String, words: String)] {
        (abilities.map(\.name) + [RemoteTrial.cleaningUp]).compactMap { name in
            if case .interrupted(let words) = outcomes[name] { (name, words) } else { nil }
        }
    }

    /// The abilities of the storage, by its protocols and its capabilities.
    var abilities: [(name: String, isThere: Bool)] {
        let facts = provider.capabilities
        return [
            ("write", !facts.isReadOnly && provider is any FileProviderReadWrite),
            ("replace files atomically", facts.writesAtomically),
            ("create without replacing", facts.createsExclusively),
            ("change only what is unchanged", facts.writesConditionally),
            ("read parts of files", facts.readsRanges),
            ("copy and move on the server", facts.copiesOnServer),
            ("keep dates", facts.setsModifiedDate),
            ("identifiers that survive a rename", facts.addressesByIdentifier),
            ("search on the server", Self.searches(provider)),
            ("public links", provider is any FileProviderSharing),
            ("trash", provider is any FileProviderTrash),
            ("versions", provider is any FileProviderVersioning),
            ("locks", hasLocks),
            ("changes", provider is any FileProviderChangeTracking),
            ("theme", provider is any FileProviderTheming),
            ("checksums", !facts.checksumKinds.isEmpty || provider is any FileProviderChecksums),
            ("thumbnails", provider is any ExtendedFileProvider),
            ("uploads that go on", takesParts),
            ("many small files at once", (provider as? any FileProviderBulkWriting)?.bulkLimits != nil),
        ]
    }

    private static func searches(_ provider: any FileProviderBasic) -> Bool {
        // Some indexes find parts of names, others whole words or beginnings.
        ["name CONTAINS[c] 'a'", "name CONTAINS[c] 'report'", "name BEGINSWITH[c] 'report'"].contains { text in
            guard let query = try? FileQuery(parsing: text) else { return false }
            return provider.searchPlan(for: query).server != .all
        }
    }

    func write(to sink: ByteSink, styling: Styling) throws {
        let good = styling.text("✓", .good)
        sink.write("\(good) ")
        sink.write(name: "\(remote.name): reachable, logged in, ")
        sink.write("\(Quantity.count(items, "item")) at the top, in \(Quantity.time(time))")
        try sink.endLine()
        if let server {
            sink.write("\(good) server: ")
            sink.write(name: server)
            try sink.endLine()
        }
        if let secretPlace {
            sink.write("\(good) \(remote.configuration.oauth2 != nil ? "login" : "password"): stored in ")
            sink.write(name: secretPlace)
            try sink.endLine()
        }
        sink.write("\(good) room: \(room)")
        try sink.endLine()
        for ability in abilities {
            let mark =
                switch outcomes[ability.name] {
                case .fails: styling.text("✗", .bad)
                case .untried, .interrupted: styling.text("–", .faint)
                case .works, nil: ability.isThere ? good : styling.text("–", .faint)
                }
            sink.write(mark + " " + ability.name)
            try writeDetails(of: ability.name, to: sink)
        }
        switch outcomes[RemoteTrial.cleaningUp] {
        case .fails, .interrupted:
            sink.write(styling.text("✗", .bad) + " " + RemoteTrial.cleaningUp)
            try writeDetails(of: RemoteTrial.cleaningUp, to: sink)
        case .works, .untried, nil: break
        }
    }

    /// Ends the line of an ability with what came of trying it.
    private func writeDetails(of ability: String, to sink: ByteSink) throws {
        switch outcomes[ability] {
        case .works(let note?):
            sink.write(" (")
            sink.write(name: note)
            sink.write(")")
        case .fails(let words):
            sink.write(": ")
            sink.write(name: words)
        case .untried(let reason):
            sink.write(" (not tried")
            if let reason {
                sink.write(": ")
                sink.write(name: reason)
            }
            sink.write(")")
        case .interrupted(let words):
            sink.write(" (broke off: ")
            sink.write(name: words)
            sink.write(")")
        case .works(nil), nil: break
        }
        try sink.endLine()
    }

    private var room: String {
        let parts = [
            volume.usedCapacity.map { "\(Quantity.words(bytes: $0)) used" },
            volume.availableCapacity.map { "\(Quantity.words(bytes: $0)) free" },
        ].compactMap { $0 }
        return parts.isEmpty ? "the server does not say" : parts.joined(separator: ", ")
    }

    func writeJSON(to sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("name", remote.name)
            line.flag("works", failures.isEmpty && interruptions.isEmpty)
            line.text("server", server)
            line.text("passwordPlace", secretPlace)
            line.number("items", Int64(items))
            line.number("total", volume.totalCapacity)
            line.number("available", volume.availableCapacity)
            line.number("used", volume.usedCapacity)
            line.list("abilities", abilities.filter(\.isThere).map(\.name))
            if !outcomes.isEmpty {
                line.list("tried", tried)
                line.list("failed", failures.map { "\($0.name): \($0.words)" })
                line.list("interrupted", interruptions.map { "\($0.name): \($0.words)" })
            }
        }
    }
}
