import FerryCore
import Foundation

extension ConformanceCheck {
    private static let linking: [ConformanceNeed] = .writing + [.links]

    /// Symbolic links are handled as themselves; only reading follows them.
    static let links: [ConformanceCheck] = [
        Self("links.text", "a link keeps its text as it was written", needs: linking) { trial in
            let texts = ["a.txt", "../up/../x", "/absolute/a.txt", "no such file", "with space\nand é", "./a", "a//b/"]
            for (number, text) in texts.enumerated() {
                let path = trial.root.appending("link \(number)")
                try await trial.links.create(symbolicLink: path, withDestination: text)
                trial.expectEqual(try await trial.links.destination(ofSymbolicLink: path), text, "the text")
            }
        },
        Self("links.listing", "a link is listed and described as a link, with its text if that is told", needs: linking)
        {
            trial in
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.links.create(symbolicLink: trial["link"], withDestination: "folder")
            let listed = try await trial.provider.contentsOfDirectory(path: trial.root).first { $0.name == "link" }
            let described = try await trial.provider.attributesOfItem(path: trial["link"])
            for item in [try trial.require(listed, "the link is not listed"), described] {
                trial.expect(item.isSymbolicLink, "the link is a \(item.type)")
                trial.expectEqual(item.extras[.linkDestination] ?? "folder", "folder", "the text")
            }
        },
        Self("links.reading", "reading follows a link to its file", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "text"])
            try await trial.links.create(symbolicLink: trial["link"], withDestination: "folder/a.txt")
            try await trial.links.create(symbolicLink: trial["folder/up"], withDestination: "../link")
            try await trial.expectContents(of: trial["link"], "text")
            try await trial.expectContents(of: trial["folder/up"], "text")
        },
        Self("links.through-folder", "a path can lead through a link to a folder", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "text"])
            try await trial.links.create(symbolicLink: trial["link"], withDestination: "folder")
            try await trial.expectContents(of: trial["link/a.txt"], "text")
            let names = try await trial.provider.contentsOfDirectory(path: trial["link"]).map(\.name)
            trial.expectEqual(names, ["a.txt"], "names")
        },
        Self("links.dangling", "a link to nothing is there, and reading it throws fileNoSuchFile", needs: linking) {
            trial in
            try await trial.links.create(symbolicLink: trial["link"], withDestination: "gone")
            trial.expect(try await trial.provider.attributesOfItem(path: trial["link"]).isSymbolicLink, "it is no link")
            await trial.expectRefusal(.fileNoSuchFile, of: "contents") {
                try await trial.files.contents(path: trial["link"])
            }
        },
        Self("links.circle", "links in a circle end as an error", needs: linking) { trial in
            try await trial.links.create(symbolicLink: trial["a"], withDestination: "b")
            try await trial.links.create(symbolicLink: trial["b"], withDestination: "a")
            await trial.expectError("CocoaError", of: "contents", where: { $0 is CocoaError }) {
                try await trial.files.contents(path: trial["a"])
            }
        },
        Self("links.search", "a search does not follow links, not even to a folder above", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.links.create(symbolicLink: trial["folder/up"], withDestination: "..")
            let found = try await trial.search("/", recursive: true, .all).map(\.path)
            trial.expectEqual(Set(found), [trial["folder"], trial["folder/a.txt"], trial["folder/up"]], "paths")
            trial.expectEqual(found.count, 3, "items")
        },
        Self("links.removing", "removing a link leaves what it leads to", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "a", "b.txt": "b"])
            try await trial.links.create(symbolicLink: trial["to folder"], withDestination: "folder")
            try await trial.links.create(symbolicLink: trial["to file"], withDestination: "b.txt")
            try await trial.links.create(symbolicLink: trial["to nothing"], withDestination: "gone")
            for name in ["to folder", "to file", "to nothing"] {
                try await trial.files.removeItem(path: trial.root.appending(name))
            }
            try await trial.expectTree(["folder/a.txt": "a", "b.txt": "b"])
        },
        Self("links.removing-folder", "removing a folder leaves what its links lead to", needs: linking) { trial in
            try await trial.plant(["kept/a.txt": "a", "folder/b.txt": "b"])
            try await trial.links.create(symbolicLink: trial["folder/link"], withDestination: "../kept")
            try await trial.files.removeItem(path: trial["folder"])
            try await trial.expectTree(["kept/a.txt": "a"])
        },
        Self("links.copying", "a copied link is a link with the same text", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.links.create(symbolicLink: trial["folder/link"], withDestination: "a.txt")
            try await trial.files.copyItem(path: trial["folder/link"], to: trial["copy"])
            try await trial.files.copyItem(path: trial["folder"], to: trial["folder copy"])
            for path: ItemPath in ["copy", "folder copy/link"] {
                let text = try await trial.links.destination(ofSymbolicLink: trial[path])
                trial.expectEqual(text, "a.txt", "the text of '\(path)'")
            }
        },
        Self("links.moving", "a moved link is a link with the same text", needs: linking) { trial in
            try await trial.plant(["folder/a.txt": "a"])
            try await trial.links.create(symbolicLink: trial["link"], withDestination: "folder/a.txt")
            try await trial.files.moveItem(path: trial["link"], to: trial["folder/moved"])
            let text = try await trial.links.destination(ofSymbolicLink: trial["folder/moved"])
            trial.expectEqual(text, "folder/a.txt", "the text")
            try await trial.expectContents(of: trial["folder/a.txt"], "a")
            await trial.expectNothing(at: trial["link"])
        },
        Self("links.exists", "a link never replaces anything", needs: linking) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            for path: ItemPath in ["a.txt", "folder"] {
                await trial.expectRefusal(.fileWriteFileExists, naming: trial[path], of: "linking") {
                    try await trial.links.create(symbolicLink: trial[path], withDestination: "x")
                }
            }
            try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
        },
        Self("links.without-folder", "a link in a missing folder throws fileNoSuchFile", needs: linking) { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "linking") {
                try await trial.links.create(symbolicLink: trial["gone/link"], withDestination: "x")
            }
        },
        Self("links.of-no-link", "the text of anything but a link throws fileReadUnknown", needs: [.links]) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            for path: ItemPath in ["a.txt", "folder"] {
                await trial.expectRefusal(.fileReadUnknown, of: "the text of '\(path)'") {
                    try await trial.links.destination(ofSymbolicLink: trial[path])
                }
            }
            await trial.expectRefusal(.fileNoSuchFile, of: "the text of a missing link") {
                try await trial.links.destination(ofSymbolicLink: trial["gone"])
            }
        },
    ]

    /// Nothing leads out of the storage.
    static let confinement: [ConformanceCheck] = [
        Self("confinement.link-up", "a link that climbs out of the storage is not followed", needs: linking) { trial in
            let climb = String(repeating: "../", count: trial.root.components.count + 20)
            for (number, target) in ["etc/passwd", "proc/self/environ", "tmp", ""].enumerated() {
                let path = trial.root.appending("link \(number)")
                try await trial.links.create(symbolicLink: path, withDestination: climb + target)
                await trial.expectError("CocoaError", of: "reading '\(climb)\(target)'", where: { $0 is CocoaError }) {
                    try await trial.files.contents(path: path)
                }
            }
        },
        Self("confinement.absolute-link", "an absolute link does not lead to this machine's files", needs: linking) {
            trial in
            try await withLocalFolder { folder in
                let url = try folder.write("secret", Data(file: "secret of this machine"))
                let local = url.path(percentEncoded: false)
                try await trial.links.create(symbolicLink: trial["link"], withDestination: local)
                await trial.expectError("CocoaError", of: "reading it", where: { $0 is CocoaError }) {
                    try await trial.files.contents(path: trial["link"])
                }
                let folderPath = folder.url.path(percentEncoded: false)
                try await trial.links.create(symbolicLink: trial["folder"], withDestination: folderPath)
                await trial.expectError("CocoaError", of: "listing it", where: { $0 is CocoaError }) {
                    try await trial.provider.contentsOfDirectory(path: trial["folder"])
                }
                _ = try? await trial.files.writeContents(path: trial["folder/new"], contents: Data(file: "x"))
                trial.expectEqual(try folder.names, ["secret"], "names in the local folder")
                _ = try? await trial.files.writeContents(
                    path: trial["link"],
                    contents: Data(file: "x"),
                    overwrite: true
                )
                trial.expectEqual(try folder.read("secret"), Data(file: "secret of this machine"), "the local file")
            }
        },
        Self("confinement.remove-through-link", "nothing outside is removed through a link", needs: linking) { trial in
            try await withLocalFolder { folder in
                _ = try folder.write("kept", Data(file: "kept"))
                let folderPath = folder.url.path(percentEncoded: false)
                try await trial.links.create(symbolicLink: trial["link"], withDestination: folderPath)
                _ = try? await trial.files.removeItem(path: trial["link/kept"])
                try await trial.files.removeItem(path: trial["link"])
                trial.expectEqual(try folder.names, ["kept"], "names in the local folder")
            }
        },
        Self("confinement.dots", "a name made of dots or escapes never leads to another item", needs: .writing) {
            trial in
            try await trial.plant(["secret.txt": "secret", "folder/a.txt": "a"])
            for name in ["..", "../secret.txt", "..%2Fsecret.txt", "%2e%2e/secret.txt", "..\\secret.txt", "./a.txt"] {
                let path = trial["folder"].appending(name)
                do {
                    _ = try await trial.files.contents(path: path)
                    trial.fail("\(name.debugDescription) leads somewhere")
                } catch is CocoaError {
                    // There is no such item, or there can't be.
                }
                _ = try? await trial.files.writeContents(path: path, contents: Data(file: "x"), overwrite: true)
                try await trial.expectContents(of: trial["secret.txt"], "secret")
                try await trial.expectContents(of: trial["folder/a.txt"], "a")
            }
        },
        Self("confinement.identifiers", "an identifier that nobody gave out leads nowhere", needs: [.reading]) {
            trial in
            try await trial.plant(["a.txt": "a"])
            for identifier in ["../a.txt", "/a.txt", "a.txt", "-1", "99999999999999999999", "' OR 1=1", "é\u{1F600}"] {
                for path in [ItemPath(identifier: identifier), ItemPath(revision: identifier)] {
                    await trial.expectError("CocoaError", of: "reading '\(path)'", where: { $0 is CocoaError }) {
                        try await trial.reading.contents(path: path)
                    }
                }
            }
        },
    ]
}
