import FerryCore
import Foundation

extension ConformanceCheck {
    /// Small pictures of files, of one and of many.
    static let pictures: [ConformanceCheck] = [
        Self("pictures.one", "a file has a small picture, and a file that is missing has none", needs: [.pictures]) {
            trial in
            let pictures = try await trial.plantPictures()
            let picture = try await trial.picture(of: pictures[0])
            trial.expect(!picture.data.isEmpty, "the picture has no bytes")
            trial.expect(picture.contentType.hasPrefix("image/"), "the picture's type is '\(picture.contentType)'")
            let gone = trial["gone.png"]
            let picturing = try trial.picturing
            await trial.expectRefusal(.fileNoSuchFile, naming: gone, of: "a picture of a missing file") {
                try await picturing.thumbnailOfFile(path: gone, options: .small)
            }
        },
        Self("pictures.listed", "files that were listed have the same pictures as by their paths", needs: [.pictures]) {
            trial in
            let pictures = try await trial.plantPictures()
            let singles = [try await trial.picture(of: pictures[0]), try await trial.picture(of: pictures[1])]
            let listing = try await trial.provider.contentsOfDirectory(path: pictures[0].parent)
            let items = try pictures.map { path in
                try trial.require(listing.first { $0.path == path }, "'\(path)' is not listed")
            }
            let picturing = try trial.picturing
            let listed = try await picturing.thumbnail(of: items[1], options: .small)
            trial.expectEqual(listed, singles[1], "the picture of the listed file")
            let together = try await picturing.thumbnailsOfFiles(listed: items, options: .small)
            trial.expectEqual(try together.map { try $0.get() }, singles, "the pictures of both files")
        },
        Self(
            "pictures.many",
            "pictures of many files are in the order of their paths, each as by itself or with an error of its own",
            needs: [.pictures]
        ) { trial in
            let planted = try await trial.plantPictures()
            let text = try await trial.plant("text.ferry-none", Data("text".utf8))
            let singles = [try await trial.picture(of: planted[0]), try await trial.picture(of: planted[1])]
            let picturing = try trial.picturing
            await trial.expectRefusal(.featureUnsupported, of: "a picture of a file of no known kind") {
                try await picturing.thumbnailOfFile(path: text, options: .small)
            }
            // More than any service takes with one request, and the same ones several times.
            let gone = trial["gone.png"]
            let paths = (0..<53).map { [planted[0], planted[1], gone, planted[1], text][$0 % 7 % 5] }
            let results = try await picturing.thumbnailsOfFiles(paths: paths, options: .small)
            trial.expectEqual(results.count, paths.count, "the number of results")
            for (index, (path, result)) in zip(paths, results).enumerated() {
                switch (result, planted.firstIndex(of: path)) {
                case (.success(let picture), let number?):
                    trial.expectEqual(picture, singles[number], "picture \(index), of '\(path)'")
                case (.success, nil): trial.fail("picture \(index), of '\(path)', has no error")
                case (.failure(let error), _?): trial.fail("picture \(index), of '\(path)', failed: \(error)")
                case (.failure(let error), nil):
                    let code = (error as? CocoaError)?.code
                    let wanted: CocoaError.Code = path == gone ? .fileNoSuchFile : .featureUnsupported
                    trial.expectEqual(code, wanted, "the error of picture \(index), of '\(path)'")
                }
            }
        },
        Self("pictures.none", "of no files there are no pictures, and no error", needs: [.pictures]) { trial in
            _ = try await trial.picture(of: try await trial.plantPictures()[0])
            let results = try await trial.picturing.thumbnailsOfFiles(paths: [], options: nil)
            trial.expect(results.isEmpty, "there are \(results.count) results")
        },
        Self(
            "pictures.cancelled",
            "asking for pictures of many files in a cancelled task throws CancellationError",
            needs: [.pictures]
        ) { trial in
            let planted = try await trial.plantPictures()
            let picturing = try trial.picturing
            await trial.expectCancellation(of: "asking for several pictures") {
                try await inCancelledTask { _ = try await picturing.thumbnailsOfFiles(paths: planted, options: .small) }
            }
        },
    ]
}

extension Trial {
    /// The provider, which has pictures.
    fileprivate var picturing: any ExtendedFileProvider {
        get throws { try require(provider as? any ExtendedFileProvider, "it is no ExtendedFileProvider") }
    }

    /// Writes two pictures, a wide and a high one.
    ///
    /// - Throws: `NotApplicable` if the storage makes no pictures of such files.
    fileprivate func plantPictures() async throws -> [ItemPath] {
        guard try picturing.thumbnailOfFileSupported(path: self["wide.png"]) else {
            throw NotApplicable("pictures of PNG files")
        }
        return [try await plant("wide.png", .widePicture), try await plant("high.png", .highPicture)]
    }

    /// Returns a file's picture, as the file has by itself.
    ///
    /// - Throws: `NotApplicable` if the storage makes no pictures of such files.
    fileprivate func picture(of path: ItemPath) async throws -> Thumbnail {
        do {
            return try await picturing.thumbnailOfFile(path: path, options: .small)
        } catch let error as CocoaError where error.code == .featureUnsupported {
            // A server can be set up to make none, and the program that makes them be missing.
            throw NotApplicable("pictures of PNG files")
        }
    }
}

extension ThumbnailOptions {
    fileprivate static var small: ThumbnailOptions { ThumbnailOptions(width: 32, height: 32) }
}

extension Data {
    /// A red PNG picture of 48 to 16 pixels.
    fileprivate static var widePicture: Data {
        picture(
            "iVBORw0KGgoAAAANSUhEUgAAADAAAAAQCAIAAADfzGvmAAAAJElEQVR42mO4IyIyqBDDqINGHTTqoFEHjTpo1EGjDhp1"
                + "EH0RAJBPDC7K/5RXAAAAAElFTkSuQmCC"
        )
    }

    /// A blue PNG picture of 16 to 48 pixels.
    fileprivate static var highPicture: Data {
        picture(
            "iVBORw0KGgoAAAANSUhEUgAAABAAAAAwCAIAAACXPW0AAAAAIklEQVR42mMQEblDEmIY1TCqYVTDqIZRDaMaRjWMahhZ"
                + "GgCjAwwuA5HaCAAAAABJRU5ErkJggg=="
        )
    }

    private static func picture(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
