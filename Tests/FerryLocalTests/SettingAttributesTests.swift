import FerryCore
import FerryMemory
import Foundation
import Testing

@testable import FerryLocal

@Suite("What items have besides their content")
struct SettingAttributesTests {
    private let folder: TemporaryFolder
    private let provider: LocalFileProvider
    private let date = Date(timeIntervalSince1970: 5_000.25)

    init() throws {
        folder = try TemporaryFolder()
        provider = folder.provider()
        try folder.makeFolder("d")
        try folder.write("x", to: "d/a")
        try folder.link("d/link", to: "a")
    }

    @Test("dates of files, folders and links, and permissions of all but links", arguments: ["/d/a", "/d", "/d/link"])
    func datesAndPermissions(text: String) async throws {
        let path = try ItemPath(parsing: text)
        try await provider.setAttributes(ItemAttributes(modifiedDate: date, permissions: 0o751), path: path)
        let item = try await provider.attributesOfItem(path: path)
        #expect(item.modifiedDate == date)
        #expect(item.permissions == (item.isSymbolicLink ? nil : 0o751))
        // The target of a link stays as it was.
        if item.isSymbolicLink { #expect(try await provider.attributesOfItem(path: "/d/a").modifiedDate != date) }
    }

    @Test("extended attributes come back as they were set, where the file system has any")
    func extendedAttributes() async throws {
        let values = ["user.note": Data([0, 1, 255]), "user.ä": Data()]
        var isRefused = false
        do {
            try await provider.setAttributes(ItemAttributes(extendedAttributes: values), path: "/d/a")
        } catch let error as CocoaError where error.code == .featureUnsupported {
            isRefused = true
        }
        let there = try await provider.extendedAttributes(path: "/d/a")
        #expect(there == (isRefused ? [:] : values))
        #expect(try await provider.extendedAttributes(path: "/d/link") == [:])
        // Attributes that are not named stay.
        try await provider.setAttributes(ItemAttributes(modifiedDate: date), path: "/d/a")
        #expect(try await provider.extendedAttributes(path: "/d/a") == there)
        await expect(.fileNoSuchFile) { _ = try await provider.extendedAttributes(path: "/none") }
        await expect(.fileNoSuchFile) {
            try await provider.setAttributes(ItemAttributes(modifiedDate: date), path: "/none")
        }
    }

    @Test("what the file system refuses is told, once all else is set")
    func refused() async throws {
        // No file system of Linux has a namespace of this name.
        let attributes = ItemAttributes(
            modifiedDate: date,
            permissions: 0o751,
            extendedAttributes: ["elsewhere.note": Data([1])]
        )
        await expect(.featureUnsupported) { try await provider.setAttributes(attributes, path: "/d/a") }
        let item = try await provider.attributesOfItem(path: "/d/a")
        #expect(item.modifiedDate == date && item.permissions == 0o751)
        #expect(try await provider.extendedAttributes(path: "/d/a")["elsewhere.note"] == nil)
    }

    @Test("nothing is set through a link that leads out of the base folder")
    func confined() async throws {
        try folder.makeFolder("d/base")
        try folder.link("d/base/out", to: "..")
        let inner = folder.provider("d/base")
        await #expect(throws: CocoaError.self) {
            try await inner.setAttributes(ItemAttributes(permissions: 0o700), path: "/out/a")
        }
        #expect(try folder.status("d/a").permissions != 0o700)
    }

    @Test("a tree comes straight from another folder of this machine, and is counted")
    func directCopying() async throws {
        try folder.makeFolder("other")
        let other = folder.provider("other")
        #expect(other.canCopy(from: provider) && !other.canCopy(from: MemoryFileProvider()))
        try await provider.setAttributes(ItemAttributes(modifiedDate: date, permissions: 0o751), path: "/d/a")
        let copied = try await other.copyItem(
            path: "/d",
            of: provider,
            to: "/copy",
            overwrite: false,
            reporting: nil,
            onError: nil
        )
        #expect(copied == CopiedItems(files: 2, folders: 1))
        #expect(try folder.names("other") == ["copy", "copy/a", "copy/link"])
        #expect(try folder.status("other/copy/a").permissions == 0o751)
        await expect(.fileWriteFileExists) {
            _ = try await other.copyItem(
                path: "/d",
                of: provider,
                to: "/copy",
                overwrite: false,
                reporting: nil,
                onError: nil
            )
        }
        await expect(.featureUnsupported) {
            let memory = MemoryFileProvider()
            _ = try await other.copyItem(
                path: "/",
                of: memory,
                to: "/x",
                overwrite: false,
                reporting: nil,
                onError: nil
            )
        }
        // The same folder by another object is still the same folder.
        await expect(.fileWriteInvalidFileName) {
            let same = folder.provider()
            _ = try await provider.copyItem(
                path: "/d",
                of: same,
                to: "/d/into",
                overwrite: false,
                reporting: nil,
                onError: nil
            )
        }
    }
}
