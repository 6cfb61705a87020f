import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("The sandbox of ferry-media")
struct SandboxTests {
    @Test("nothing can be opened, written, reached, started or stopped from inside")
    func check() async throws {
        let result = try await TestProgram.run(HelperProgram.path, ["--check"])
        let words = result.output
        #expect(words.contains("read a file: refused"))
        #expect(words.contains("reach the network: refused"))
        #expect(!words.contains("POSSIBLE"))
        #expect(result.ending == .exited(0), "\(words)\(result.errors)")
    }

    @Test("a working program is held by the kernel: its filter, its privileges, its limits, its descriptors")
    func held() async throws {
        let file = try Samples.bytes("flag.jpg")
        let run = try await HelperProgram.with { program in
            _ = try program.thumbnail(of: file)
            let process = "/proc/\(program.process)"
            return (
                try String(contentsOfFile: "\(process)/status", encoding: .utf8),
                try String(contentsOfFile: "\(process)/limits", encoding: .utf8),
                try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").sorted()
            )
        }
        let (status, limits, descriptors) = run.result
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"))
        let lines = limits.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for limit in ["Max core file size 0 0", "Max file size 0 0", "Max data size 234881024 234881024"] {
            #expect(lines.contains { $0.hasPrefix(limit) }, "\(limits)")
        }
        #expect(descriptors == ["0", "1", "2"])
    }

    @Test("a drawing sees no other file, by whichever reference")
    func references() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        // All blue: where it were seen, the drawing would not be red.
        let other = folder.appending(path: "other.svg")
        try Data(
            ##"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#00f"/></svg>"##
                .utf8
        )
        .write(to: other)
        let references = [
            "file://\(other.path)", other.path, "other.svg", "http://127.0.0.1:9/x.png", "file:///etc/passwd",
        ]
        for reference in references {
            let drawing = """
                <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
                  xmlns:xi="http://www.w3.org/2001/XInclude" width="64" height="64">
                <style>@import url("\(reference)"); rect { fill: #f00 }</style><rect width="64" height="64" fill="#f00"/>
                <image xlink:href="\(reference)" width="64" height="64"/><image href="\(reference)" width="64" height="64"/>
                <use href="\(reference)#a"/><text y="30"><xi:include href="\(reference)" parse="text"/></text></svg>
                """
            let run = try await HelperProgram.with { try $0.thumbnail(of: Array(drawing.utf8)) }
            guard case .thumbnail(let result) = run.result else { throw WireError("\(run.result)") }
            let colours = try await Pixels.colours(in: result.data, at: [(x: 4, y: 4), (x: 16, y: 12), (x: 28, y: 28)])
            #expect(colours.map(Pixels.name) == ["red", "red", "red"], "\(reference)")
        }
    }

    @Test("an entity that stands for a file is nothing")
    func entities() async throws {
        let drawing = """
            <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>
            <svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text y="30">&x;</text></svg>
            """
        let run = try await HelperProgram.with { try $0.thumbnail(of: Array(drawing.utf8)) }
        if case .thumbnail(let result) = run.result {
            let colour = try await Pixels.colours(in: result.data, at: [(x: 10, y: 14)])
            #expect(colour.first?.last == 0)
        } else {
            guard case .refused(.damaged, _) = run.result else { throw WireError("\(run.result)") }
        }
    }

    @Test("a playlist that names other files is no film", arguments: ["mp3", "ts", "mpg"])
    func playlists(_ hint: String) async throws {
        let film = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Samples/film.mp4").path
        for words in ["#EXTM3U\n#EXTINF:1,\nfile://\(film)\n", "ffconcat version 1.0\nfile '\(film)'\n"] {
            let run = try await HelperProgram.with { program in
                try program.thumbnail(of: Array(words.utf8)) { $0.extensionHint = hint }
            }
            guard case .refused = run.result else { throw WireError("\(run.result)") }
        }
    }
}
