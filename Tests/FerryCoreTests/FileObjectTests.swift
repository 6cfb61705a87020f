import FerryCore
import FerryTestKit
import Foundation
import Testing

@Suite("An item")
struct FileObjectTests {
    private func encoded(_ file: FileObject) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(file), as: UTF8.self)
    }

    private func decoded(_ json: String) throws -> FileObject {
        try JSONDecoder().decode(FileObject.self, from: Data(json.utf8))
    }

    @Test("is small")
    func size() {
        #expect(MemoryLayout<FileObject>.stride <= 200)
    }

    @Test("keeps unknown apart from zero and from empty")
    func unknown() {
        var file = FileObject(name: "a", in: "/", type: .file)
        #expect(file.size == nil)
        #expect(file.modifiedDate == nil)
        #expect(file.permissions == nil)
        file.size = 0
        file.modifiedDate = Date(timeIntervalSinceReferenceDate: 0)
        file.id = ""
        #expect(file.size == 0)
        #expect(file.modifiedDate == Date(timeIntervalSinceReferenceDate: 0))
        #expect(file.id == "")
        file.size = nil
        #expect(file == FileObject(name: "a", in: "/", type: .file, modifiedDate: file.modifiedDate, id: ""))
    }

    @Test("is not another whose text has other bytes, in whatever property")
    func equality() {
        func variants(_ text: String) -> [FileObject] {
            [
                FileObject(name: text, in: "/", type: .file),
                FileObject(name: "a", in: ItemPath.root.appending(text), type: .file),
                FileObject(name: "a", in: "/", type: .file, id: text),
                FileObject(name: "a", in: "/", type: .file, eTag: text),
                FileObject(name: "a", in: "/", type: .file, contentType: text),
            ]
        }
        for (first, second) in zip(variants("\u{e9}"), variants("e\u{301}")) {
            #expect(first != second)
            #expect(first == first)
        }
    }

    @Test("by identifier keeps its path")
    func identifierPath() {
        var file = FileObject(path: "id:abc", type: .file)
        #expect(file.path == "id:abc")
        #expect(file.name == "")
        file.path = "/"
        #expect(file.extras.isEmpty)
        file.parentID = "f"
        file.metadataVersion = "2"
        #expect(file.parentID == "f" && file.metadataVersion == "2")
        (file.parentID, file.metadataVersion) = (nil, nil)
        #expect(file.extras.isEmpty)
        #expect(FileObject(path: "/", type: .directory).path == .root)
        #expect(FileObject(path: "/a/b", type: .file).folder == "/a")
    }

    @Test(
        "is hidden, and has an extension, by its name",
        arguments: [
            ("a.txt", false, "txt"), (".profile", true, ""), (".a.TXT", true, "TXT"), ("a.", false, ""),
            ("a", false, ""),
            ("a.b.c", false, "c"), ("", false, ""), (".", true, ""), ("a.é", false, "é"),
        ]
    )
    func name(name: String, isHidden: Bool, pathExtension: String) {
        let file = FileObject(name: name, in: "/", type: .file)
        #expect(file.isHidden == isHidden)
        #expect(file.pathExtension == pathExtension)
    }

    @Test("answers to Foundation's keys with Foundation's types")
    func resourceKeys() {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        var file = FileObject(name: "a", in: "/x", type: .file, size: 5, modifiedDate: date, id: "i", eTag: "e")
        file.extras[.isReadOnly] = true
        #expect(file[.nameKey] as? String == "a")
        #expect(file[.pathKey] as? String == "/x/a")
        #expect(file[.fileSizeKey] as? Int == 5)
        #expect(file[.contentModificationDateKey] as? Date == date)
        #expect(file[.creationDateKey] == nil)
        #expect(file[.isDirectoryKey] as? Bool == false)
        #expect(file[.isRegularFileKey] as? Bool == true)
        #expect(file[.isSymbolicLinkKey] as? Bool == false)
        #expect(file[.isHiddenKey] as? Bool == false)
        #expect(file[.isWritableKey] as? Bool == false)
        #expect(file[.fileResourceTypeKey] as? URLFileResourceType == .regular)
        #expect(file[.fileResourceIdentifierKey] as? String == "i")
        #expect(file[.generationIdentifierKey] as? String == "e")
        #expect(file[.volumeNameKey] == nil)
        #expect(FileObject.Kind(resourceType: .socket) == .other)
        for kind in [FileObject.Kind.file, .directory, .symlink, .other] {
            #expect(FileObject.Kind(resourceType: kind.resourceType) == kind)
        }
    }

    @Test("is written as JSON without what is unknown")
    func json() throws {
        #expect(
            try encoded(FileObject(name: "b", in: "/a", type: .directory))
                == #"{"name":"b","path":"/a/b","type":"directory"}"#
        )
        var file = FileObject(
            name: "b.txt",
            in: "/a",
            type: .file,
            size: 5,
            modifiedDate: Date(timeIntervalSinceReferenceDate: 788_918_400.25),
            creationDate: Date(timeIntervalSinceReferenceDate: 788_918_400),
            permissions: 0o644,
            id: "i",
            eTag: "e",
            contentType: "text/plain"
        )
        file.extras[.linkCount] = 2
        #expect(
            try encoded(file) == #"{"contentType":"text/plain","created":"2026-01-01T00:00:00Z","eTag":"e","id":"i","#
                + #""linkCount":2,"modified":"2026-01-01T00:00:00.250Z","name":"b.txt","path":"/a/b.txt","#
                + #""permissions":420,"size":5,"type":"file"}"#
        )
    }

    @Test("comes back from JSON as it was")
    func jsonRoundTrip() throws {
        var random = SeededGenerator(seed: 11)
        let texts = [nil, "", "a", "\u{e9}", "e\u{301}", "x/y", "..", "id:x", "\u{0}\n", "\u{10F7FF}"]
        func text() -> String? { texts[Int.random(in: texts.indices, using: &random)] }
        func date() -> Date? {
            guard Bool.random(using: &random) else { return nil }
            return Date(timeIntervalSinceReferenceDate: Double.random(in: 5.4e8..<1.07e9, using: &random))
        }
        for _ in 0..<1_000 {
            let folder = ItemPath.root.appending(text() ?? "f").appending(text() ?? "g")
            var file = FileObject(name: text() ?? "n", in: folder, type: .file)
            file.type = [.file, .directory, .symlink, .other][Int.random(in: 0..<4, using: &random)]
            file.size = Bool.random(using: &random) ? Int64.random(in: 0 ... .max, using: &random) : nil
            file.modifiedDate = date()
            file.creationDate = date()
            file.permissions = Bool.random(using: &random) ? UInt16.random(in: 0...0o7777, using: &random) : nil
            (file.id, file.eTag, file.contentType) = (text(), text(), text())
            if Bool.random(using: &random) { file.path = "id:abc" }
            if Bool.random(using: &random) { file.path = "/elsewhere/n" }
            (file.parentID, file.metadataVersion) = (text(), text())
            file.extras[.accessDate] = date()
            file.extras[.attributeModificationDate] = date()
            (file.extras[.owner], file.extras[.group], file.extras[.linkDestination]) = (text(), text(), text())
            file.extras[.allocatedSize] = file.size
            file.extras[.childCount] = 0
            file.extras[.isHidden] = Bool.random(using: &random)
            file.extras[.isReadOnly] = false
            file.extras[.checksums] = [.md5: "00", .sha256: "ff"]
            #expect(try decoded(encoded(file)) == file)
        }
    }

    @Test(
        "is not read from JSON that says nonsense",
        arguments: [
            "{}", #"{"path":"/a"}"#, #"{"path":"/../a","type":"file"}"#, #"{"path":"/a","type":"fifo"}"#,
            #"{"path":"/a","type":"file","size":"5"}"#, #"{"path":"/a","type":"file","modified":"today"}"#,
            #"{"path":"/a","type":"file","permissions":70000}"#,
        ]
    )
    func malformedJSON(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json) }
    }

    @Test("is shown with path, type and size")
    func description() {
        #expect("\(FileObject(name: "b", in: "/a", type: .file, size: 5))" == "/a/b (file, 5 bytes)")
        #expect("\(FileObject(name: "b", in: "/a", type: .directory))" == "/a/b (directory)")
    }
}

@Suite("A date as text")
struct DateTextTests {
    @Test(
        "has the decimals that it takes",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (0.5, "2001-01-01T00:00:00.500Z"),
            (-0.25, "2000-12-31T23:59:59.750Z"), (788_918_400.000_001, "2026-01-01T00:00:00.000001Z"),
            (789_004_799.999_999_9, "2026-01-01T23:59:59.9999999Z"), (99_964_800, "2004-03-03T00:00:00Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (5_000_000_000, "2159-06-12T08:53:20Z"),
        ]
    )
    func text(time: Double, text: String) throws {
        // Queries print dates in the same way.
        let query = try FileQuery(format: "created = %@", Date(timeIntervalSinceReferenceDate: time))
        #expect(query.description == "creationDate == CAST(\"\(text)\", \"NSDate\")")
        #expect(try FileQuery(parsing: query.description) == query)
    }

    @Test("is what Foundation's formatter makes of it, on every kind of day")
    func everyDay() throws {
        for day in stride(from: -800_000, through: 800_000, by: 37) where day > -730_000 && day < 2_900_000 {
            let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86400)
            let text = try FileQuery(format: "created = %@", date).description
            // Before 1582 Foundation counts in Julian days.
            guard day > -152_500 else { continue }
            #expect(text.contains(date.formatted(.iso8601)))
        }
    }

    @Test(
        "may have a zone, and be a day only",
        arguments: [
            ("2026-01-01", 788_918_400.0), ("2026-01-01 00:00", 788_918_400), ("2026-01-01t00:00:00z", 788_918_400),
            ("2026-01-01T01:00+01:00", 788_918_400), ("2026-01-01T01:30:00+0130", 788_918_400),
            ("2025-12-31T16:00:00-08", 788_918_400), ("2026-01-01T00:00:00,5", 788_918_400.5),
            ("2024-02-29", 730_857_600), ("2016-12-31T23:59:60Z", 504_921_600),
        ]
    )
    func reading(text: String, time: Double) throws {
        let query = try FileQuery(format: "created = %@", text)
        #expect(try query == FileQuery(format: "created = %@", Date(timeIntervalSinceReferenceDate: time)))
    }

    @Test(
        "is refused when there is no such moment",
        arguments: [
            "", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-01-00", "2026-04-31", "2025-02-29", "1900-02-29",
            "2026-01-01T", "2026-01-01T24:00", "2026-01-01T00:60", "2026-01-01T00:00:61", "2026-01-01T00:00:00.",
            "2026-01-01T00:00:00+25:00", "2026-01-01T00:00:00Zx", "2026-01-01X00:00", "20260101", "-2026-01-01",
        ]
    )
    func malformed(text: String) {
        #expect(throws: CocoaError.self) { try FileQuery(format: "created = %@", text) }
    }
}
