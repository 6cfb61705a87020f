import Foundation
import Testing

@Suite("The documents")
struct DocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// The pages of the repository, and of the libraries' guides.
    private static func pages() throws -> [URL] {
        let tops = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        let below = ["Documentation", "Sources"].flatMap { folder -> [URL] in
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder),
                includingPropertiesForKeys: nil
            )
            return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "md" }
        }
        return tops + below
    }

    @Test("have links that lead somewhere")
    func links() throws {
        let pages = try Self.pages()
        #expect(pages.count > 20)
        for page in pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            // Text in code is no link.
            let prose = text.replacing(/```[\s\S]*?```/, with: "").replacing(/`[^`\n]*`/, with: "")
            for link in prose.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.1) }) {
                guard !link.contains("://"), !link.hasPrefix("#") else { continue }
                let path = link.split(separator: "#")[0].removingPercentEncoding ?? ""
                let target = page.deletingLastPathComponent().appending(path: path)
                let isThere = FileManager.default.fileExists(atPath: target.path(percentEncoded: false))
                #expect(isThere, "\(page.lastPathComponent): \(link)")
            }
        }
    }

    @Test("say what each folder of the repository is for", arguments: ["Sources", "Tests", "Benchmarks", "scripts"])
    func map(folder: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path())
        #expect(!names.isEmpty)
        for name in names where !name.hasPrefix(".") {
            #expect(text.contains("`\(name)`"), "\(folder)/\(name)")
        }
    }

    @Test(
        "have a page for each library",
        arguments: [
            "Ferry", "FerryCache", "FerryCore", "FerryHTTP", "FerryKeyring", "FerryLocal", "FerryMedia", "FerryMemory",
            "FerryTestKit", "FerryTransfer", "FerryUndo", "FerryURLSession", "FerryWebDAV",
        ]
    )
    func catalogues(library: String) throws {
        let page = Self.root.appending(path: "Sources/\(library)/\(library).docc/\(library).md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.hasPrefix("# ``\(library)``\n") && text.contains("\n## Topics\n"))
    }
}
