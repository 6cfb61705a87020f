import FerryCore
import FerryMemory
import FerryTestKit
import Testing

@Suite("The memory provider and every wrapper around it")
struct MemoryConformanceTests {
    @Test("behaves as every provider must", arguments: ConformanceCheck.all)
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: ConformanceSubject { MemoryFileProvider() })
    }
}
