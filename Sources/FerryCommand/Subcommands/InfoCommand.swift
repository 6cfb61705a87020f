import ArgumentParser
import FerryCore
import FerryMedia
import Foundation

/// `ferry info`: what files say about themselves.
struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what files say about themselves.",
        discussion: """
            Cameras note when, where and how a photo was taken; music and films have
            titles, durations and bit rates; PDF, office documents and ZIP archives
            tell their authors, pages and sizes. Of a remote file no more is fetched
            than is needed.

            With --json each file is an object on a line of its own: path, name, and
            properties, in order, with values that have types: numbers, dates in ISO
            8601 (without a zone where the file has none), durations in seconds, and
            objects for sizes and places.

            EXAMPLES
              ferry info photo.jpg
              ferry info work:music/*.flac
              ferry info --json *.jpg | jq -r '.properties.dateTaken'
            """
    )

    @Argument(help: .location("What to ask."), completion: .file())
    var locations: [String]

    @Flag(help: "Print a JSON object a line.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        try await Session.run(reading.ofContents, media: MediaGenerator()) { session in
            var isFirst = true
            try await session.forEach(locations) { location in
                let (place, item) = try await location.resolved()
                if item.isDirectory { throw CocoaError.isAFolder(place.path) }
                let files = try place.ability((any ExtendedFileProvider).self, "properties of files")
                let properties = try await files.propertiesOfFile(path: place.path)
                if json {
                    try session.output.writeObject { line in
                        line.text("path", place.path.string)
                        line.text("name", item.name)
                        line.properties(properties)
                    }
                    return try session.output.show()
                }
                if !isFirst { try session.output.endLine() }
                isFirst = false
                if locations.count > 1 {
                    session.output.write(name: location.text)
                    session.output.write(byte: UInt8(ascii: ":"))
                    try session.output.endLine()
                }
                if properties.isEmpty { return try session.output.writeLine(of: ["it says nothing about itself"]) }
                let facts = properties.properties.map { ($0.name, $0.text) }
                try FactLines(facts).write(to: session.output, styling: session.styling)
                try session.output.show()
            }
        }
    }
}
