import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import GRDB
import Testing

@testable import FerryTransfer

@Suite("The memory of what was uploaded")
struct UploadMemoryTests {
    private let scratch: ScratchFolder
    private let written = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws { scratch = try ScratchFolder() }

    private var url: URL { scratch.url.appending(path: "journal.sqlite") }

    private func file(_ name: String, date: Date, eTag: String? = nil) -> FileObject {
        var file = FileObject(path: ItemPath.root.appending(name), type: .file)
        (file.size, file.modifiedDate, file.eTag) = (3, date, eTag)
        return file
    }

    /// A comparison with a storage that keeps no dates.
    private var comparison: FileComparison {
        var (near, far) = (FileProviderCapabilities(), FileProviderCapabilities())
        (near.datePrecision, far.datePrecision, far.setsModifiedDate) = (.nanoseconds(1), .seconds(1), false)
        return FileComparison(.standard, from: near, to: far)
    }

    @Test(
        "is kept in a journal that an earlier version has made, too",
        arguments: ["DROP TABLE uploaded", "ALTER TABLE uploaded DROP COLUMN storedSize"]
    )
    func upgrade(before change: String) async throws {
        let target = TransferPlace(MemoryFileProvider(), "/")
        do {
            let journal = try await TransferJournal.open(at: url)
            try await journal.database.write { try $0.execute(sql: change) }
        }
        let journal = try await TransferJournal.open(at: url)
        #expect(journal.damagedFile == nil)
        let memory = UploadMemory(journal, target: target)
        memory.note(TransferAction(.add, "/a", .missing, source: file("a", date: written)))
        memory.see(file("a", date: written + 60, eTag: "\"1\""))
        await memory.flush()
        let found = await UploadMemory(journal, target: target).uploads(in: "/")
        #expect(found.keys.sorted() == ["a"] && found["a"]?.storedTag == "\"1\"")
        #expect(found["a"]?.date == written.timeIntervalSinceReferenceDate)
        #expect(await memory.uploads(in: "/other").isEmpty)
        // Another upload: how the target lists it is not known before it was seen.
        memory.note(TransferAction(.update, "/a", .date, source: file("a", date: written + 1)))
        await memory.flush()
        #expect(await memory.uploads(in: "/")["a"]?.storedDate == nil)
    }

    @Test("knows a copy that was made elsewhere, changed by the storage and moved, by its last place")
    func movedCopy() async throws {
        let journal = try await TransferJournal.open(at: url)
        let memory = UploadMemory(journal, target: TransferPlace(MemoryFileProvider(), "/"), notesAll: false)
        let copies = RewrittenCopies()
        copies.remember(in: memory)
        let original = file("a.docx", date: written)
        try await copies.made(at: "/step", for: "/a.docx") {
            copies.note(original, at: "/step", storedAs: file("step", date: written, eTag: "1"))
        }
        #expect(copies.take("/a.docx") && !copies.take("/a.docx") && !copies.take("/step"))
        await memory.flush()
        #expect(await memory.uploads(in: "/").keys.sorted() == ["a.docx"])
    }

    @Test(
        "tells that neither side of a copy has changed whose content the storage has changed",
        arguments: [true, false]
    )
    func rewritten(notesAll: Bool) async throws {
        let journal = try await TransferJournal.open(at: url)
        let memory = UploadMemory(journal, target: TransferPlace(MemoryFileProvider(), "/"), notesAll: notesAll)
        let original = file("a.docx", date: written)
        var copy = file("a.docx", date: written, eTag: "1")
        copy.size = 1_174
        memory.note(original, at: "/a.docx", rewrittenTo: copy)
        for name in ["a.docx", "b.bin"] {
            let action = TransferAction(
                .add,
                ItemPath.root.appending(name),
                .missing,
                source: file(name, date: written)
            )
            memory.note(action)
        }
        await memory.flush()
        let uploads = await memory.uploads(in: "/")
        #expect(uploads.keys.sorted() == (notesAll ? ["a.docx", "b.bin"] : ["a.docx"]))
        var dated = FileProviderCapabilities()
        (dated.datePrecision, dated.setsModifiedDate) = (.seconds(1), true)
        let comparison = FileComparison(.standard, from: dated, to: dated)
        func compare(_ original: FileObject, _ copy: FileObject) -> Sameness {
            comparison.compare(original, with: copy, writtenAs: uploads["a.docx"])
        }
        #expect(compare(original, copy) == .same)
        // A tag changes with much that is no change of the content.
        copy.eTag = "2"
        #expect(compare(original, copy) == .same)
        var edited = copy
        edited.size = 1_175
        #expect(compare(original, edited) == .different(.size))
        edited = copy
        edited.modifiedDate = written + 60
        #expect(compare(original, edited) == .different(.size))
        edited = original
        edited.modifiedDate = written + 60
        #expect(compare(edited, copy) == .different(.size))
        edited = original
        edited.size = 4
        #expect(compare(edited, copy) == .different(.size))
        #expect(
            FileComparison(.checksum, from: dated, to: dated).compare(
                original,
                with: copy,
                writtenAs: uploads["a.docx"]
            )
                == .different(.size)
        )
    }

    @Test("tells an original that was edited, and a copy that was replaced")
    func sameness() {
        let later = written + 60
        let known = UploadMemory.Upload(
            size: 3,
            date: written.timeIntervalSinceReferenceDate,
            storedDate: later.timeIntervalSinceReferenceDate,
            storedTag: "\"1\""
        )
        func compare(_ source: Date, _ target: Date, _ eTag: String?, _ upload: UploadMemory.Upload?) -> Sameness {
            comparison.compare(file("a", date: source), with: file("a", date: target, eTag: eTag), writtenAs: upload)
        }
        #expect(compare(written, later, "\"1\"", known) == .same)
        #expect(compare(written - 9, later, "W/\"1\"", known) == .different(.date), "an older original")
        #expect(compare(written, later + 1, "\"2\"", known) == .different(.date), "another copy")
        #expect(compare(written, later - 5, "\"2\"", known) == .different(.date), "an older copy")
        // A server whose eTags change tells nothing by them.
        #expect(compare(written, later, "\"2\"", known) == .same)
        #expect(known.isStill(file("a", date: later, eTag: "\"2\""), tolerance: 0.001) == nil)
        var unseen = known
        (unseen.storedDate, unseen.storedTag) = (nil, nil)
        #expect(unseen.isStill(file("a", date: later), tolerance: 0.001) == nil)
        #expect(compare(written - 9, later, nil, unseen) == .different(.date))
        #expect(compare(written, later, nil, nil) == .same)
    }
}
