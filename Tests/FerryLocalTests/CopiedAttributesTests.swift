import FerryCore
import Foundation
import Testing

@testable import FerryLocal

@Suite("What copies have besides content")
struct CopiedAttributesTests {
    @Test("dates, permissions and extended attributes are kept")
    func keepsAttributes() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "tree/inner/file")
        let date = timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)
        try folder.link("tree/link", to: "inner/file")
        chmod(folder.path("tree/inner/file"), 0o4751)
        try setExtendedAttribute("user.colour", "red", of: folder.path("tree/inner/file"))
        try setExtendedAttribute("user.colour", "blue", of: folder.path("tree/inner"))
        for path in ["tree/inner/file", "tree/link", "tree/inner", "tree"] { setDate(date, of: folder.path(path)) }
        chmod(folder.path("tree/inner"), 0o555)

        try await folder.provider().copyItem(path: "/tree", to: "/copy")
        for path in ["", "/inner", "/inner/file", "/link"] {
            let original = try folder.status("tree\(path)")
            let copy = try folder.status("copy\(path)")
            #expect(copy.mode == original.mode, "\(path)")
            #expect(copy.modified.tv_sec == date.tv_sec, "\(path)")
            #expect(copy.modified.tv_nsec == date.tv_nsec, "\(path)")
        }
        #expect(try extendedAttribute("user.colour", of: folder.path("copy/inner/file")) == "red")
        #expect(try extendedAttribute("user.colour", of: folder.path("copy/inner")) == "blue")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("copy/link")) == "inner/file")

        try await folder.provider().copyItem(path: "/tree/inner/file", to: "/single")
        #expect(try folder.status("single").mode == folder.status("tree/inner/file").mode)
        #expect(try folder.status("single").modified.tv_nsec == date.tv_nsec)
        #expect(try extendedAttribute("user.colour", of: folder.path("single")) == "red")
        #expect(try folder.names().filter { $0.hasSuffix(".tmp") } == [])
    }

    @Test("attributes that the target refuses are counted", .enabled(if: geteuid() == 0, "mounting needs root"))
    func refusedAttributes() async throws {
        let folder = try TemporaryFolder()
        // A file system that knows no attributes of users.
        let disk = try MountedFileSystem(folder, type: "ramfs")
        defer { disk.unmount() }
        for name in ["tree/a", "tree/b", "tree/c"] { try folder.write(name, to: name) }
        for name in ["tree", "tree/a", "tree/b"] {
            try setExtendedAttribute("user.colour", "red", of: folder.path(name))
        }
        func copy(_ name: ItemPath) async throws -> CopiedItems {
            try await folder.provider("disk").copyItem(
                path: name,
                of: folder.provider(),
                to: ItemPath.root.appending(name.lastName),
                overwrite: false,
                reporting: nil,
                onError: nil
            )
        }
        #expect(try await copy("/tree") == CopiedItems(files: 3, folders: 1, withoutAttributes: 3))
        #expect(try await copy("/tree/a") == CopiedItems(files: 1, withoutAttributes: 1))
        #expect(try await copy("/tree/c") == CopiedItems(files: 1))
        #expect(folder.read("disk/tree/b") == "tree/b" && folder.read("disk/a") == "tree/a")
    }
}
