import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@Suite("The conformance suite")
struct TeethTests {
    @Test("finds each flaw, with every rule that is made for it", arguments: Flaw.allCases)
    func finds(flaw: Flaw) async throws {
        // Only what never comes is waited for that long.
        let timeout: Duration = flaw == .isDeaf ? .seconds(1) : .seconds(30)
        let subject = ConformanceSubject(timeout: timeout, stage: { try await mutant(flaw) })
        for id in flaw.finders {
            let check = try #require(ConformanceCheck.all.first { $0.id == id }, "there is no rule '\(id)'")
            let outcome = await check.verify(on: subject)
            guard case .failed = outcome else {
                Issue.record("\(id) does not find it: \(outcome)")
                continue
            }
        }
    }

    @Test("has no rule that both a desperate and an indifferent provider keep")
    func noRuleIsToothless() async throws {
        var kept: [ConformanceCheck.ID: Int] = [:]
        for character in HopelessFileProvider.Character.allCases {
            let subject = ConformanceSubject(
                timeout: .seconds(1),
                stage: {
                    let memory = MemoryFileProvider()
                    let hopeless = HopelessFileProvider(base: memory, character: character)
                    return ConformanceStage(hopeless, fixtures: memory, ownsTrash: true)
                }
            )
            // All at once: rules that wait for what never comes wait together.
            await withTaskGroup(of: ConformanceCheck.ID?.self) { group in
                for check in ConformanceCheck.all where !check.isAboutNoCall {
                    group.addTask {
                        if case .passed = await check.verify(on: subject) { check.id } else { nil }
                    }
                }
                for await case let id? in group { kept[id, default: 0] += 1 }
            }
        }
        #expect(kept.filter { $0.value == 2 }.keys.map(\.rawValue).sorted() == [])
    }

    @Test(
        "finds links that work for more people than was wanted",
        arguments: RichFileProvider<MemoryFileProvider>.Widening.allCases
    )
    func widening(_ mistake: RichFileProvider<MemoryFileProvider>.Widening) async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "sharing.options" })
        let subject = ConformanceSubject { RichFileProvider(MemoryFileProvider(), wideningLinks: mistake) }
        guard case .failed = await check.verify(on: subject) else {
            Issue.record("it is not found")
            return
        }
    }

    private func mutant(_ flaw: Flaw) async throws -> ConformanceStage {
        let memory = MemoryFileProvider(pageSize: 1_000)
        let mutant = MutantFileProvider(base: memory, flaw: flaw)
        return ConformanceStage(mutant, fixtures: memory, ownsTrash: true)
    }
}

extension ConformanceCheck {
    /// Indicates whether the rule looks at properties only, which the hopeless providers have from a good one.
    fileprivate var isAboutNoCall: Bool {
        ["properties", "wrappers"].contains(group)
    }
}
