import Ferry
import FerryTestServers
import Foundation
import Testing

@Suite("The guide to properties")
struct PropertiesGuideTests {
    private static let page = "../../Sources/FerryCore/FerryCore.docc/Properties.md"

    @Test("shows code that compiles: this very code")
    func code() throws {
        // begin
        func describe(_ photo: ItemPath, on storage: any ExtendedFileProvider) async throws {
            let properties = try await storage.propertiesOfFile(path: photo)
            if case .size(let size)? = properties[.dimensions] {
                print(size.width * size.height / 1_000_000, "megapixels")
            }
            if let seconds = properties[.exposureTime]?.number, seconds > 1 {
                print("a long exposure")
            }
            for property in properties.properties {
                print("\(property.name): \(property.text)")  // Exposure time: 1/250 s
            }
            let german = FilePropertyDisplay(locale: Locale(identifier: "de_DE")) { english in
                ["F number": "Blende"][english] ?? english
            }
            for property in properties.properties where property.key == .fNumber {
                print(german.name(of: property.key), german.text(of: property))  // Blende f/2,8
            }
        }
        // end
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 1)
        #expect(try examples.missing(from: Self.page) == [])
    }

    @Test("has every key, and no other")
    func keys() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: Self.page)
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let told = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: "`").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let keys = Set(told.filter { !$0.isEmpty && $0 != "," })
        #expect(keys == Set(FilePropertyKey.all.map(\.rawValue)))
    }
}
