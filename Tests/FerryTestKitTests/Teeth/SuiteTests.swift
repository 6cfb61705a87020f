import FerryCore
import FerryMemory
import Foundation
import Testing

@testable import FerryTestKit

@Suite("Trying a rule")
struct SuiteTests {
    @Test("is possible for more than 140 rules, each with an identifier and words of its own")
    func rulesAreTold() {
        #expect(ConformanceCheck.all.count >= 140)
        #expect(Set(ConformanceCheck.all.map(\.id)).count == ConformanceCheck.all.count)
        #expect(Set(ConformanceCheck.all.map(\.title)).count == ConformanceCheck.all.count)
        #expect(ConformanceCheck.all.allSatisfy { $0.id.rawValue.contains(".") && $0.title.count > 15 })
        #expect(ConformanceCheck.predicateCount >= 40)
        #expect(AwkwardName.all.count >= 19)
    }

    @Test("counts a declared deviation only if the rule fails")
    func deviations() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "streams.chunks" })
        let subject = ConformanceSubject(deviations: ["streams.chunks": "it reads all at once"]) {
            MutantFileProvider(base: MemoryFileProvider(), flaw: .readsAllAtOnce)
        }
        let outcome = await check.verify(on: subject)
        guard case .deviates("it reads all at once", let failures) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(!failures.isEmpty)
    }

    @Test("reports a deviation that is declared, though the rule is kept")
    func staleDeviation() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "streams.chunks" })
        let subject = ConformanceSubject(deviations: ["streams.chunks": "it was so once"]) { MemoryFileProvider() }
        let message = await check.verify(on: subject).failures.first?.message ?? ""
        #expect(message.contains("a deviation is declared"))
    }

    @Test("lets a rule be kept of which is said that it is kept at times")
    func occasionalDeviation() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "streams.chunks" })
        let reasons: [ConformanceCheck.ID: String] = ["streams.chunks": "it depends"]
        let subject = ConformanceSubject(deviations: reasons, occasional: ["streams.chunks"]) { MemoryFileProvider() }
        #expect(await check.verify(on: subject).failures.isEmpty)
        let broken = ConformanceSubject(deviations: reasons, occasional: ["streams.chunks"]) {
            MutantFileProvider(base: MemoryFileProvider(), flaw: .readsAllAtOnce)
        }
        guard case .deviates = await check.verify(on: broken) else {
            Issue.record("a rule that is broken must be known to be")
            return
        }
    }

    @Test("reports a deviation from a rule that does not exist")
    func strangeDeviation() async throws {
        let subject = ConformanceSubject(deviations: ["streams.chuncks": "a typo"]) { MemoryFileProvider() }
        let message = await ConformanceCheck.all[0].verify(on: subject).failures.first?.message ?? ""
        #expect(message.contains("streams.chuncks"))
    }

    @Test("never begins in a folder that holds something")
    func occupied() async throws {
        let memory = MemoryFileProvider()
        try await memory.writeContents(path: "/precious", contents: Data("p".utf8))
        for check in ConformanceCheck.all where check.isApplicable(to: memory) {
            let failures = await check.verify(on: ConformanceSubject { memory }).failures
            #expect(failures.first?.message.contains("is not empty") ?? false, "\(check.id)")
        }
        #expect(try await memory.contentsOfDirectory(path: .root).map(\.name) == ["precious"])
        #expect(try await memory.contents(path: "/precious") == Data("p".utf8))
    }

    @Test(
        "never touches what is beside its folder",
        arguments: ["trash.empty", "removing.root", "transfers.move-root"]
    )
    func neighbours(id: String) async throws {
        let memory = MemoryFileProvider()
        try await memory.create(folder: "tests", at: .root)
        try await memory.writeContents(path: "/precious", contents: Data("p".utf8))
        try await memory.writeContents(path: "/trashed", contents: Data("t".utf8))
        let trashed = try await memory.trashItem(path: "/trashed")
        let check = try #require(ConformanceCheck.all.first { $0.id.rawValue == id })
        _ = await check.verify(on: ConformanceSubject(stage: { try await .folder(of: memory, in: "/tests") }))
        #expect(try await memory.contentsOfDirectory(path: .root).map(\.name) == ["precious", "tests"])
        #expect(try await memory.contentsOfDirectory(path: "/tests").isEmpty)
        #expect(try await memory.trashedItems().map(\.id) == [trashed.id])
    }

    @Test("says why it is not possible, and never counts that as kept")
    func notApplicable() async throws {
        let report = await ConformanceReport(on: .memory)
        #expect(report.notApplicable.contains("situations.full-write"))
        #expect(report.notApplicable.contains("sharing.round-trip"))
        #expect(report.failed == [])
        #expect(report.passed.count + report.notApplicable.count == ConformanceCheck.all.count)
        #expect(report.description.contains("\(report.notApplicable.count) not applicable"))
        #expect(report.description.contains("not applicable: situations.full-write: it takes the situation 'full'"))
        let check = try #require(ConformanceCheck.all.first { $0.id == "undo.create" })
        #expect(!check.isApplicable(to: MemoryFileProvider()))
    }

    @Test("ends, even if the provider never answers")
    func stuck() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "errors.attributes-missing" })
        let subject = ConformanceSubject(
            timeout: .milliseconds(50),
            stage: {
                let memory = MemoryFileProvider()
                let plan = FaultPlan([.init(.attributesOfItem, fault: .meanwhile { await neverComes() })])
                return ConformanceStage(FaultInjectingFileProvider(memory, plan: plan), fixtures: memory)
            }
        )
        let message = await check.verify(on: subject).failures.first?.message ?? ""
        #expect(message.contains("nothing happened for"))
    }

    @Test("waits but briefly for what a deviation says will never come")
    func brief() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "errors.attributes-missing" })
        let subject = ConformanceSubject(
            deviations: ["errors.attributes-missing": "it never answers"],
            timeout: .seconds(86_400),
            stage: {
                let memory = MemoryFileProvider()
                let plan = FaultPlan([.init(.attributesOfItem, fault: .meanwhile { await neverComes() })])
                return ConformanceStage(FaultInjectingFileProvider(memory, plan: plan), fixtures: memory)
            }
        )
        guard case .deviates(_, let failures) = await check.verify(on: subject) else {
            Issue.record("it is no deviation")
            return
        }
        #expect(failures.first?.message.contains("nothing happened for 10.0 seconds") ?? false)
    }

    @Test("tells that cleaning up failed")
    func cleanUp() async throws {
        struct Dirty: Error {}
        let subject = ConformanceSubject(
            stage: { ConformanceStage(MemoryFileProvider(), cleanUp: { throw Dirty() }) }
        )
        let messages = await ConformanceCheck.all[0].verify(on: subject).failures.map(\.message)
        #expect(messages.count == 1 && messages[0].contains("cleaning up failed"))
    }

    @Test("notices handlers that are called twice, never, or elsewhere", arguments: ["twice", "never", "elsewhere"])
    func handlers(fault: String) async throws {
        let memory = MemoryFileProvider()
        let trial = try #require(Trial(ConformanceStage(memory), timeout: .milliseconds(200)))
        let queue = memory.environment.callbackQueue
        _ = try? await trial.handled("the call") { finish in
            switch fault {
            case "twice":
                queue.async {
                    finish(Ending(nil))
                    finish(Ending(nil))
                }
            case "elsewhere": Task { finish(Ending(nil)) }
            default: break
            }
            return Progress(totalUnitCount: 1)
        }
        #expect(!trial.failures.isEmpty)
    }
}

/// Waits for ever, deaf to cancelling.
private func neverComes() async {
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
