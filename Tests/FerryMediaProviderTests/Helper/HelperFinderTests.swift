import Foundation
import Testing

@testable import FerryMedia

@Suite("Where ferry-media is looked for")
struct HelperFinderTests {
    @Test("where the variable says, beside the program, in libexec, in the search path")
    func order() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-finder-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = ["own/x", "app/bin/ferry-media", "app/libexec/ferry/ferry-media", "path/ferry-media"]
            .map { folder.appending(path: $0) }
        for place in places {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
        }
        var environment = ["FERRY_MEDIA_HELPER": places[0].path, "PATH": "relative:\(folder.path)/path"]
        let find = { (environment: [String: String]) in
            try HelperFinder(environment: environment, executable: folder.appending(path: "app/bin/ferry")).find()
        }
        #expect(try find(environment) == places[0].path)
        try FileManager.default.removeItem(at: places[0])
        // A variable that names a program rules out all others.
        #expect(throws: CocoaError.self) { try find(environment) }
        environment["FERRY_MEDIA_HELPER"] = ""
        for place in places.dropFirst() {
            #expect(try find(environment) == place.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.path)
        }
        if getuid() != 0 { #expect(throws: CocoaError.self) { try find(environment) } }
        try FileManager.default.removeItem(at: folder)
        #expect(throws: CocoaError.self) { try find(environment) }
    }
}
