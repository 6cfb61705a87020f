import ArgumentParser
import FerryCore
import FerryMedia
import Foundation

/// `ferry thumbnail`: a small picture of a file.
struct ThumbnailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thumbnail",
        abstract: "Show or make small pictures of files.",
        discussion: """
            On a terminal the picture is drawn: as kitty, iTerm2 or sixel pictures
            where it can show them, else in half blocks. FERRY_PICTURES=kitty, iterm2,
            sixel, blocks, 256 or none says which. Otherwise the picture's bytes are
            written.

            Pictures, PDF, music with a cover, and films have thumbnails; of a remote
            file no more is fetched than is needed. The program ferry-media makes
            them: what is wrong with a file can harm nothing else.

            EXAMPLES
              ferry thumbnail photo.jpg
              ferry thumbnail --size 640x480 --fill -o cover.webp work:talk.mp4
              ferry thumbnail --page 3 -o - report.pdf > page3.jpg
              ferry thumbnail -o small/ *.heic    a picture each, in a folder
              ferry thumbnail -o 'small/%s.webp' *.jpg    named as the pattern says
            """
    )

    @Argument(help: .location("What to make a picture of."), completion: .file())
    var locations: [String]

    @Option(
        help: ArgumentHelp("Pixels that it may have (default: 256x256; on a terminal, what fits).", valueName: "WxH")
    )
    var size: PictureSizeArgument?

    @Flag(help: "Fill the whole size, and cut off what sticks out.")
    var fill = false

    @Flag(help: "Enlarge what is smaller than the size.")
    var enlarge = false

    @Option(help: ArgumentHelp("jpeg, png or webp (default: by the output's name).", valueName: "format"))
    var format: ThumbnailFormatArgument?

    @Option(help: ArgumentHelp("The page of a document, the first being 1.", valueName: "page"))
    var page: Int = 1

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file or folder/ to write to; %s in a file's name stands for the original's name without extension; - for the standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var output: String?

    @OptionGroup var overwrite: OverwriteOption

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if page < 1 { throw ValidationError("--page begins at 1") }
        if output?.isEmpty ?? false { throw ValidationError("--output needs a name, or - for the standard output") }
        if output == "-", locations.count > 1 { throw Self.tooMany(forOne: "output") }
    }

    /// Several pictures would be one after the other in one place.
    static func tooMany(forOne place: String) -> ValidationError {
        ValidationError("several pictures can't go into one \(place); give a folder with -o FOLDER/, or names with %s")
    }

    func run() async throws {
        try await Session.run(reading.ofContents, media: MediaGenerator()) { session in
            session.isOverwriting = overwrite.isAllowed
            let work = ThumbnailWork(command: self, session: session)
            switch output {
            case "-": try await work.print(locations)
            case let output?: try await work.write(locations, to: output)
            case nil where session.output.isTerminal: try await work.draw(locations)
            case nil: try await work.print(locations)
            }
        }
    }

    /// How the picture is to be made.
    ///
    /// - Parameters:
    ///   - usual: The size, if none was given.
    ///   - format: The format, if none was given.
    /// - Returns: Options for a provider.
    func options(usual: PixelSize, _ format: ThumbnailOptions.Format?) -> ThumbnailOptions {
        ThumbnailOptions(
            width: size == nil ? usual.width : size?.width,
            height: size == nil ? usual.height : size?.height,
            mode: fill ? .fill : .fit,
            page: page,
            format: format ?? self.format?.format,
            enlarges: enlarge
        )
    }
}

/// A picture's format, as an option says it.
enum ThumbnailFormatArgument: String, ExpressibleByArgument, CaseIterable {
    case jpeg, jpg, png, webp

    /// The library's name for it.
    var format: ThumbnailOptions.Format {
        switch self {
        case .jpeg, .jpg: .jpeg
        case .png: .png
        case .webp: .webP
        }
    }
}
