import ArgumentParser
import FerryCore
import Foundation
import NIOCore

/// `ferry cat`: the contents of files.
struct CatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print the contents of files.",
        discussion: """
            Bytes are passed on as they arrive, whatever the size of the file.

            EXAMPLES
              ferry cat notes.txt
              ferry cat --offset 1000 --length 24 disk.img | xxd
              ferry cat --last 200 server.log
            """
    )

    @Argument(help: .location("What to print."), completion: .file())
    var locations: [String]

    @Option(help: "Begin at this byte, the first being 0.")
    var offset: Int64?

    @Option(help: "Print this many bytes, fewer if the file ends before.")
    var length: Int64?

    @Option(help: "Print this many bytes at the end of the file.")
    var last: Int64?

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        for (name, value) in [("--offset", offset), ("--length", length), ("--last", last)] {
            if let value, value < 0 { throw ValidationError("\(name) must be 0 or more") }
        }
        if last != nil, offset != nil || length != nil {
            throw ValidationError("--last can't be combined with --offset or --length")
        }
    }

    private var range: ByteRange {
        if let last { return .last(last) }
        return ByteRange(offset: offset ?? 0, length: length)
    }

    func run() async throws {
        try await Session.run(reading.ofContents) { session in
            try await session.forEach(locations) { location in
                if location.demandsFolder {
                    _ = try await location.resolved()
                    throw CocoaError.isAFolder(location.path)
                }
                let stream = try await location.storage.contentStream(path: location.path, range: range)
                for try await chunk in stream {
                    try chunk.withUnsafeReadableBytes { try session.output.write(through: $0) }
                }
            }
        }
    }
}
