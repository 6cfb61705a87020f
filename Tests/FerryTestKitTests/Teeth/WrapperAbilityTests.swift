import FerryCore
import FerryMemory
import Foundation
import Testing

@testable import FerryTestKit

/// Every ability, of this package's own too, by every wrapper: found by reading the sources, so that nobody need remember
/// a list.
@Suite("The abilities of wrappers")
struct WrapperAbilityTests {
    /// The source files of a folder that contain one of some words.
    private static func sources(_ folder: String, with words: String...) throws -> [String] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let url = package.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .filter { source in words.contains { source.contains($0) } }
    }

    @Test("are all known, public or not")
    func known() throws {
        // They say what a provider is or is made of, and not what it can do.
        let exempt: Set = ["FileProviderWrapper", "RecordingFileProvider", "RestorableFileProvider"]
        var declared: [Substring: Set<String>] = [:]
        for source in try Self.sources("Sources/FerryCore", with: " protocol ") {
            for match in source.matches(
                of: /(?m)^(public|package) protocol (\w+)(<\w+>)?: (FileProvider|ExtendedFileProvider|Configurable)/
            ) {
                declared[match.1, default: []].insert(String(match.2))
            }
        }
        #expect(declared["public"]?.subtracting(exempt) == Set(FileProviderAbility.all.map(\.name)))
        #expect(declared["package"]?.subtracting(exempt) == Set(FileProviderAbility.own.map(\.name)))
    }

    @Test("are passed on, added or refused by name, each by each wrapper of the package")
    func complete() throws {
        let abilities = Set((FileProviderAbility.all + FileProviderAbility.own).map(\.name))
        var wrappers: Set<Substring> = []
        var refused: [Substring: Set<String>] = [:]
        var had: [Substring: Set<String>] = [:]
        for source in try Self.sources("Sources", with: " where Base: ", ": FileProviderWrapper {") {
            for match in source.matches(of: /(?m)^extension (\w+): (\w+) where Base: \w+ \{/) {
                had[match.1, default: []].insert(String(match.2))
            }
            guard let type = source.firstMatch(of: /(?m)(class|struct) (\w+)<Base: \w+>: FileProviderWrapper \{/)
            else { continue }
            wrappers.insert(type.2)
            let list = source.firstMatch(of: /refusedAbilities: Set<String> \{\s*\[([^\]]*)\]/)?.1 ?? ""
            refused[type.2] = Set(list.matches(of: /\w+/).map { String($0.0) })
        }
        #expect(wrappers.count >= 6)
        for wrapper in wrappers.sorted() {
            let (had, refused) = (had[wrapper, default: []], refused[wrapper, default: []])
            #expect(abilities.subtracting(had).subtracting(refused).sorted() == [], "hidden by \(wrapper)")
            #expect(refused.intersection(had).sorted() == [], "had and refused by \(wrapper)")
            #expect(refused.subtracting(abilities).sorted() == [], "refused by \(wrapper), and no ability")
        }
    }

    @Test("are compared with what a wrapper says: it must not have what it refuses, and may lack nothing else")
    func refusals() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "wrappers.subject-hides-nothing" })
        let subject = ConformanceSubject(stage: {
            let memory = MemoryFileProvider()
            return ConformanceStage(Refusing(base: memory), fixtures: memory)
        })
        let messages = await check.verify(on: subject).failures.map(\.message)
        #expect(messages.contains { $0.contains("it has FileProviderTrash, which it is to refuse") })
        #expect(messages.contains { $0.contains("it hides FileProviderVersioning") })
        #expect(!messages.contains { $0.contains("FileProviderMonitor") })
    }
}

/// A wrapper that refuses two abilities, and has one of them all the same.
private struct Refusing<Base: FileProviderBasic>: FileProviderWrapper {
    static var refusedAbilities: Set<String> { ["FileProviderTrash", "FileProviderMonitor"] }
    let base: Base
}

extension Refusing: FileProviderTrash where Base: FileProviderTrash {}
