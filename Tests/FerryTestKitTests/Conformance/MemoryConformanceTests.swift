import FerryCore
import FerryMemory
import FerryTestKit
import FerryUndo
import Foundation
import Testing

@Suite("The memory provider, and every wrapper around it,")
struct MemoryConformanceTests {
    @Test("behaves as every provider must", arguments: ConformanceCheck.all)
    func memory(check: ConformanceCheck) async throws {
        try await check.run(on: .memory)
    }

    @Test("behaves as every provider must, in a folder below the root", arguments: ConformanceScope.wrapper.checks())
    func folder(check: ConformanceCheck) async throws {
        try await check.run(on: .memoryFolder)
    }

    @Test(
        "behaves as every provider must, where retries are wrapped around it",
        arguments: ConformanceScope.wrapper.checks()
    )
    func retrying(check: ConformanceCheck) async throws {
        try await check.run(on: .retryingMemory)
    }

    @Test("behaves as every provider must, where it is protected", arguments: ConformanceScope.wrapper.checks())
    func readOnly(check: ConformanceCheck) async throws {
        try await check.run(on: .readOnlyMemory)
    }

    @Test(
        "behaves as every provider must, where URLs, links and undo are added",
        arguments: ConformanceCheck.all
    )
    func rich(check: ConformanceCheck) async throws {
        try await check.run(on: .richMemory)
    }

    @Test(
        "behaves as every provider must, where what is done can be undone",
        arguments: ConformanceScope.wrapper.checks()
    )
    func undoable(check: ConformanceCheck) async throws {
        try await check.run(on: .undoableMemory)
    }

    @Test("behaves as every provider must, on bad days too", arguments: ConformanceScope.wrapper.checks())
    func badDays(check: ConformanceCheck) async throws {
        try await check.run(on: .memoryWithBadDays)
    }
}

extension ConformanceSubject {
    static let memory = ConformanceSubject("memory") { MemoryFileProvider() }

    static let memoryFolder = ConformanceSubject(
        "memory, in a folder",
        stage: {
            let provider = MemoryFileProvider(pageSize: 7)
            try await provider.create(folder: "tests", at: .root)
            return try await .folder(of: provider, in: "/tests")
        }
    )

    static let retryingMemory = ConformanceSubject("memory with retries") { RetryingFileProvider(MemoryFileProvider()) }

    static let readOnlyMemory = ConformanceSubject(
        "memory, read-only",
        stage: {
            let memory = MemoryFileProvider()
            return ConformanceStage(ReadOnlyFileProvider(memory), fixtures: memory)
        }
    )

    static let richMemory = ConformanceSubject(
        "memory with more",
        deviations: [
            "wrappers.subject-hides-nothing": "it has more than memory, and leaves out what these rules don't need"
        ]
    ) { RichFileProvider(MemoryFileProvider()) }

    static let undoableMemory = ConformanceSubject("memory, undoable") { UndoableFileProvider(MemoryFileProvider()) }

    /// A small memory storage whose line can be cut.
    static let memoryWithBadDays = ConformanceSubject(
        "memory with bad days",
        stage: {
            let capacity: Int64 = 24 << 20
            let memory = MemoryFileProvider(capacity: capacity)
            let faulty = FaultInjectingFileProvider(memory)
            return ConformanceStage(
                faulty,
                fixtures: memory,
                situations: .faults(of: faulty).merging([
                    .full: { _ in
                        let free = try await memory.storageProperties().availableCapacity ?? 0
                        let ballast = Data(count: Int(free) - 1_000)
                        let trash = try await memory.trashItemAfterWriting("/ballast", ballast)
                        #expect(trash.item.size == Int64(ballast.count))
                    }
                ]) { _, own in own },
                ownsTrash: true
            )
        }
    )
}

extension MemoryFileProvider {
    /// Fills the storage with something that is in nobody's way.
    fileprivate func trashItemAfterWriting(_ path: ItemPath, _ data: Data) async throws -> TrashedItem {
        try await writeContents(path: path, contents: data)
        return try await trashItem(path: path)
    }
}

extension [ConformanceSituation: ConformanceSituationMaker] {
    /// The situations that planned faults can imitate.
    static func faults<Base>(of provider: FaultInjectingFileProvider<Base>) -> Self {
        [
            .readOnly: { _ in
                let changes = FileProviderCall.Method.allCases.filter(\.changesStorage)
                provider.plan = FaultPlan(
                    changes.map { .init($0, fault: .error(CocoaError(.fileWriteVolumeReadOnly))) }
                )
            },
            .unreadable: { path in
                let error = CocoaError.file(.fileReadNoPermission, path: path)
                provider.plan = FaultPlan([
                    .init(.contents, .contentStream, .directoryListing, path: path, fault: .error(error)),
                    .init(.searchFiles, on: .call(2), fault: .error(error)),
                ])
            },
            .unwritable: { _ in
                provider.plan = FaultPlan([
                    .init(.writeContents, .removeItem, fault: .error(CocoaError(.fileWriteNoPermission)))
                ])
            },
            .badCredential: { _ in
                provider.plan = FaultPlan([.init(fault: .error(URLError(.userAuthenticationRequired)))])
            },
            .unreachable: { _ in
                provider.plan = FaultPlan([
                    .init(.attributesOfItem, fault: .error(URLError(.cannotConnectToHost))),
                    .init(.isReachable, fault: .error(URLError(.cannotConnectToHost))),
                ])
            },
            .cutWhileReading: { _ in
                provider.plan = FaultPlan([
                    .init(.contents, .contentStream, .download, fault: .cut(afterBytes: 600_000, nil))
                ])
            },
            .cutWhileWriting: { _ in
                provider.plan = FaultPlan([
                    .init(.writeContents, .writeStream, fault: .cut(afterBytes: 600_000, nil))
                ])
            },
            .silent: { _ in provider.plan = FaultPlan([.init(fault: .error(URLError(.timedOut)))]) },
            .untrusted: { _ in
                provider.plan = FaultPlan([.init(fault: .error(URLError(.serverCertificateHasUnknownRoot)))])
            },
            .senseless: { _ in provider.plan = FaultPlan([.init(fault: .error(URLError(.cannotParseResponse)))]) },
            .pageFails: { path in
                provider.plan = FaultPlan([
                    .init(.directoryListing, path: path, on: .call(2), fault: .error(URLError(.timedOut)))
                ])
            },
        ]
    }
}
