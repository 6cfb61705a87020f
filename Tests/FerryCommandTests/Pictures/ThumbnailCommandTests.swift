import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryCommand

@Suite("Thumbnails, information and galleries", .timeLimit(.minutes(30)))
struct ThumbnailCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#33cc66"/></svg>
        """

    private func picture(_ name: String) throws -> Data {
        try #require(FileManager.default.contents(atPath: sandbox.path + "/" + name))
    }

    private func size(_ name: String) throws -> [Int] {
        let pixmap = try #require(Pixmap(png: picture(name)))
        return [pixmap.width, pixmap.height]
    }

    @Test("a thumbnail's bytes go to a file, a pipe or a folder, in the format that is wanted")
    func files() async throws {
        try sandbox.make("a.svg", Self.svg)
        let outcome = try await sandbox.bash(
            """
            ferry thumbnail a.svg > piped && ferry thumbnail --size 40x40 -o a.png a.svg &&
            ferry thumbnail --size x30 --fill -o - --format png a.svg > b.png &&
            ferry thumbnail --size 800x800 --enlarge -o large.png a.svg &&
            ferry thumbnail -o a.jpg a.svg && ferry thumbnail --size 20 -o a.webp a.svg &&
            mkdir small && cp a.svg c.svg && ferry thumbnail -o small --format jpeg a.svg c.svg
            """
        )
        #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
        #expect(try size("piped") == [256, 192] && size("a.png") == [40, 30] && size("b.png") == [30, 30])
        #expect(try size("large.png") == [800, 600])
        #expect(try picture("a.jpg").starts(with: [0xFF, 0xD8]) && picture("a.webp").starts(with: Array("RIFF".utf8)))
        #expect(try sandbox.names("small") == ["a.svg.jpg", "c.svg.jpg"])
        // Existing files are replaced only if that is asked for.
        let again = try await sandbox.ferry("thumbnail", "-o", "a.png", "a.svg")
        #expect(
            again.code == 1 && again.errors.contains("a.png: already exists") && again.errors.contains("--overwrite")
        )
        #expect(try size("a.png") == [40, 30])
        #expect(try await sandbox.ferry("thumbnail", "-f", "-o", "a.png", "a.svg").code == 0)
        #expect(try size("a.png") == [256, 192])
    }

    @Test("what can't be done is told in a line")
    func errors() async throws {
        try sandbox.make("a.svg", Self.svg)
        try sandbox.make("notes.txt", "x")
        try sandbox.make("bad.png", "no picture")
        try sandbox.makeFolder("d.png")
        for (arguments, code, words) in [
            (["thumbnail", "no.svg"], 1, "ferry: no.svg: no such file or folder, "),
            (["thumbnail", "notes.txt"], 1, "ferry: notes.txt: a thumbnail of this file is not possible here"),
            (["info", "notes.txt"], 1, "ferry: notes.txt: the properties of this file are not possible here"),
            (["thumbnail", "d.png"], 1, "ferry: d.png: is a folder, name a file in it"),
            (["thumbnail", "bad.png"], 1, "ferry: bad.png: "),
            (["thumbnail", "a.svg", "a.svg"], 64, "ferry: several pictures can't go into one output; "),
            (["thumbnail", "a.svg", "a.svg", "-o", "x.png"], 64, "ferry: several pictures can't go into one file; "),
            (["thumbnail", "--size", "0x1", "a.svg"], 64, "ferry: "),
            (["thumbnail", "--page", "0", "a"], 64, "ferry: --page"),
            (["ls", "--gallery"], 1, "ferry: no pictures can be shown here, leave out --gallery"),
            (["ls", "--gallery", "--json"], 64, "ferry: --gallery can't be combined with --long or --json"),
        ] as [([String], Int32, String)] {
            let outcome = try await sandbox.ferry(arguments, password: "")
            #expect(outcome.code == code && outcome.errors.hasPrefix(words), "\(arguments): \(outcome)")
            #expect(outcome.output == "")
        }
        let missing = try await sandbox.bash("FERRY_MEDIA_HELPER=/nonexistent ferry thumbnail a.svg")
        let words =
            "ferry: a.svg: no thumbnails and properties without ferry-media: there is no program at /nonexistent, "
        #expect(missing.code == 1 && missing.errors.hasPrefix(words), "\(missing)")
    }

    @Test("the first of several sizes is what is asked for", arguments: ["10", "10x", "x10", "10x20", "8192X1"])
    func sizes(_ text: String) throws {
        let size = try #require(PictureSizeArgument(argument: text))
        let expected: [String: [Int?]] = [
            "10": [10, 10], "10x": [10, nil], "x10": [nil, 10], "10x20": [10, 20], "8192X1": [8192, 1],
        ]
        #expect([size.width, size.height] == expected[text])
        for bad in ["", "x", "0", "10x0", "9000", "1x2x3", "-1", "a", "1.5", "٣"] {
            #expect(PictureSizeArgument(argument: bad) == nil, "\(bad)")
        }
    }

    // MARK: - Terminals

    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"

    @Test("a terminal that answers as kitty does gets the PNG")
    func kitty() async throws {
        try sandbox.make("a.svg", Self.svg)
        let shown = try await FakeTerminal(answer: Self.kitty, size: (80, 24, 0, 0))
            .run("ferry thumbnail --size 200x200 a.svg", in: sandbox)
        #expect(shown.contains("\u{1B}[c"), "it asks")
        // Cells are as large as the terminal says: 200 × 150 pixels are 20 × 8 of them.
        #expect(shown.contains("\u{1B}_Ga=T,f=100,q=2,C=1,c=20,r=8,m="), "\(shown.debugDescription)")
        let letters = shown.components(separatedBy: "\u{1B}_G").dropFirst(2).compactMap { piece in
            piece.split(separator: ";", maxSplits: 1).last?.components(separatedBy: "\u{1B}").first
        }
        let pixmap = try #require(Data(base64Encoded: letters.joined()).flatMap { Pixmap(png: $0) })
        #expect(pixmap.width == 200 && pixmap.height == 150)
        #expect(
            shown.contains(String(repeating: "\r\n", count: 8) + "\u{1B}[8A\u{1B}7")
                && shown.hasSuffix("\u{1B}8\u{1B}[8B\r")
        )
    }

    @Test("one that has sixels gets those")
    func sixel() async throws {
        try sandbox.make("a.svg", Self.svg)
        let shown = try await FakeTerminal(answer: "\u{1B}[?62;4;22c")
            .run("ferry thumbnail --size 80x80 a.svg", in: sandbox)
        #expect(shown.contains("\u{1B}[c"), "it asks")
        let start = try #require(shown.range(of: "\u{1B}P0;1;0q"))
        let end = try #require(shown.range(of: "\u{1B}\\", range: start.upperBound..<shown.endIndex))
        let picture = try #require(SixelReader(Array(shown[start.lowerBound..<end.upperBound].utf8)))
        #expect(picture.width == 80 && picture.height == 60)
        #expect(picture.pixels[2000] == Pixmap.Colour(red: 0x33, green: 0xCC, blue: 0x66))
    }

    @Test("one that answers nothing of that kind gets half blocks, in the colours that it has")
    func blocks() async throws {
        try sandbox.make("a.svg", Self.svg)
        let terminal = FakeTerminal(answer: "\u{1B}[?1;2c")
        let line = "ferry thumbnail --size 32x32 a.svg"
        let blocks = String(decoding: "▀▀▀▀\u{1B}[0m\r\n".utf8.map { $0 }, as: UTF8.self)
        let latin = String(blocks.utf8.map { Character(Unicode.Scalar($0)) })
        let some = try await terminal.run(line, in: sandbox)
        #expect(some.hasSuffix("\u{1B}[38;5;77;48;5;77m" + latin), "\(some.debugDescription)")
        let all = try await terminal.run(line, in: sandbox, "TERM=xterm-256color COLORTERM=truecolor")
        #expect(all.hasSuffix("\u{1B}[38;2;51;204;102;48;2;51;204;102m" + latin), "\(all.debugDescription)")
        let asked = "FERRY_PICTURES=blocks TERM=xterm"
        #expect(try await terminal.run(line, in: sandbox, asked).contains("\u{1B}[c") == false)
        let nothing = try await terminal.run("\(line); true", in: sandbox, "TERM=xterm NO_COLOR=1")
        #expect(nothing.hasPrefix("ferry: a.svg: ") == false && nothing.contains("no pictures can be shown here"))
    }

    @Test("a gallery shows a folder's pictures beside each other, with names below")
    func gallery() async throws {
        for name in ["a.svg", "b.svg", "c.svg", "d.svg"] { try sandbox.make("photos/\(name)", Self.svg) }
        try sandbox.make("photos/notes.txt", "x")
        try sandbox.make("photos/sub/e.svg", Self.svg)
        var terminal = FakeTerminal(answer: "\u{1B}[?1;2c")
        terminal.size = (70, 24, 0, 0)
        let shown = try await terminal.run("ferry ls --gallery photos", in: sandbox, "FERRY_PICTURES=blocks TERM=xterm")
        let lines = shown.components(separatedBy: "\r\n").map { line in
            line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }
        // 20 columns of 8 pixels for 4:3 are 7.5 lines of 16.
        let names = lines.filter { $0.contains(".") || $0.contains("sub") }
        #expect(
            names.map { $0.split(separator: " ").map(String.init) } == [
                ["a.svg", "b.svg", "c.svg"], ["d.svg", "notes.txt", "sub"],
            ],
            "\(lines)"
        )
        #expect(lines.firstIndex { $0.hasPrefix("a.svg") } == 8)
        #expect(names[0].hasPrefix("a.svg" + String(repeating: " ", count: 17) + "b.svg"))
    }

    @Test("a gallery of a remote is one listing, and pictures that are kept are not fetched again")
    func remoteGallery() async throws {
        let server = try await NextcloudServer.start()
        for name in ["a", "b", "c"] { try sandbox.make("photos/\(name).svg", Self.svg) }
        try await sandbox.addNextcloud(server)
        let filled = try await sandbox.bash("FERRY_CACHE=off ferry cp -r photos nc:")
        try #require(filled.code == 0, "\(filled)")
        let terminal = FakeTerminal(answer: "\u{1B}[?1;2c")
        for round in 0..<2 {
            server.forget()
            let shown = try await terminal.run(
                "ferry ls --gallery nc:photos",
                in: sandbox,
                "FERRY_PICTURES=blocks TERM=xterm"
            )
            #expect(shown.contains("c.svg"), "\(shown.debugDescription)")
            let methods = server.requests.map { "\($0.method.rawValue) \($0.path ?? "")" }
            #expect(methods.count { $0.hasPrefix("PROPFIND") } == 1, "\(methods)")
            #expect(round == 0 ? methods.count { $0.contains("svg") } >= 3 : methods.count == 1, "\(methods)")
        }
        await server.stop()
    }

    @Test("many files are done in one command, in a folder or by a pattern, and none replaces another's picture")
    func many() async throws {
        for number in 0..<40 { try sandbox.make("in/p \(number).svg", Self.svg) }
        try sandbox.make("in/bad.png", "no picture")
        try sandbox.make("other/p 1.svg", Self.svg.replacing("#33cc66", with: "#cc3366"))
        let outcome = try await sandbox.bash(
            """
            mkdir out tn && ferry thumbnail --size 32x32 -o out/ in/* nowhere.svg; echo $?
            ferry thumbnail --size 32x32 -o 'tn/%s_small.jpg' 'in/p 1.svg' 'in/p 2.svg' 'other/p 1.svg'; echo $?
            ferry thumbnail --size 16x16 --overwrite -o 'tn/%s_small.jpg' 'in/p 2.svg' 'other/p 1.svg' 'in/p 1.svg'; echo $?
            ferry thumbnail --size 32x32 -o '%s.webp' 'in/p 3.svg'; echo $?
            """
        )
        #expect(outcome.output == "1\n1\n1\n0\n", "\(outcome)")
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count == 4, "\(errors)")
        #expect(errors[0].hasPrefix("ferry: in/bad.png: ") && errors[1].hasPrefix("ferry: nowhere.svg: no such file"))
        #expect(errors[2...].allSatisfy { $0.hasPrefix("ferry: tn/p 1_small.jpg: already exists") }, "\(errors)")
        #expect(try sandbox.names("out").count == 40 && size("out/p 7.svg.png") == [32, 24])
        #expect(try sandbox.names("tn") == ["p 1_small.jpg", "p 2_small.jpg"])
        #expect(try picture("tn/p 1_small.jpg").starts(with: [0xFF, 0xD8]) && picture("p 3.webp").count > 20)
    }

    @Test("a helper at work ends by itself when its parent is killed")
    func orphan() async throws {
        let endless = """
            <svg xmlns="http://www.w3.org/2000/svg" width="5000" height="5000"><filter id="f" width="100%" height="100%">
            <feTurbulence baseFrequency="0.01" numOctaves="1000000"/></filter>
            <rect width="5000" height="5000" filter="url(#f)"/></svg>
            """
        try sandbox.make("endless.svg", endless)
        let outcome = try await sandbox.bash(
            """
            child=
            while [[ ! $child ]]; do
                "$(command -v ferry)" thumbnail --size 4000x4000 -o x.png endless.svg 2>/dev/null & parent=$!
                while [[ ! $child ]] && kill -0 $parent 2>/dev/null; do
                    child=$(cat /proc/$parent/task/*/children 2>/dev/null | tr -d ' ')
                    sleep 0.02
                done
            done
            kill -9 $parent; wait $parent
            # Where nobody waits for orphans, its last state stays.
            while state=$(cut -d' ' -f3 /proc/$child/stat 2>/dev/null) && [[ $state != Z ]]; do sleep 0.05; done
            echo gone; ls
            """
        )
        #expect(outcome.output == "gone\nendless.svg\n", "\(outcome)")
    }

    @Test("info tells what a file says about itself, for people and for programs")
    func info() async throws {
        let png = TestPNG.data(try TestPNG.pixmap(48, 32))
        try png.write(to: URL(filePath: sandbox.path + "/a.png"))
        let people = try await sandbox.ferry("info", "a.png")
        #expect(people.code == 0 && people.lines.contains { $0.hasSuffix("Dimensions  48 × 32") }, "\(people)")
        let program = try #require(try await sandbox.ferry("info", "--json", "a.png").objects.first)
        #expect(program["path"] as? String == sandbox.path + "/a.png" && program["name"] as? String == "a.png")
        let properties = try #require(program["properties"] as? [String: Any])
        #expect(properties["dimensions"] as? [String: Int] == ["width": 48, "height": 32], "\(properties)")
    }

    @Test("works on remotes, too")
    func remote() async throws {
        let served = try await ServedSandbox(.rclone)
        try served.sandbox.make("a.svg", Self.svg)
        let outcome = try await served.sandbox.bash(
            "ferry cp a.svg w:a.svg && ferry thumbnail --size 40x40 w:a.svg -o w:a.png && ferry cp w:a.png b.png"
        )
        #expect(outcome.code == 0, "\(outcome)")
        let png = try #require(FileManager.default.contents(atPath: served.sandbox.path + "/b.png"))
        #expect(Pixmap(png: png)?.width == 40)
    }

    @Test("neither ferry nor what an app links needs the decoders' libraries: only ferry-media does")
    func libraries() async throws {
        let folder = URL(filePath: Sandbox.command).deletingLastPathComponent().path
        let decoders = ["vips", "avformat", "avcodec", "poppler", "glib", "gobject", "heif", "rsvg", "cairo"]
        for (program, links) in [("ferry", false), ("FerryTransferVictim", false), ("ferry-media", true)] {
            // The libraries that they need, and those that these need.
            let outcome = try await sandbox.bash("ldd '\(folder)/\(program)'")
            try #require(outcome.code == 0 && outcome.output.contains("libc.so"), "\(outcome)")
            let found = decoders.filter { outcome.output.contains("lib\($0)") }
            #expect(found.isEmpty != links, "\(program): \(found)")
        }
    }
}
