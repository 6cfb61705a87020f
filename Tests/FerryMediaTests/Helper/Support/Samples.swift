import Foundation

/// The files in the folder of samples, which its script `make` describes.
enum Samples {
    static let pictures = [
        "flag.jpg", "flag.png", "flag.webp", "flag.gif", "flag.tiff", "flag.svg", "flag.heic", "flag.avif", "flag.pdf",
    ]
    static let films = ["film.mp4", "film.mkv", "film.webm", "film.avi", "film.mpg"]
    static let sounds = ["sound.mp3", "sound.m4a", "sound.flac"]
    static let all = pictures + films + sounds + ["turned.jpg", "turned.mp4", "sound.ogg"]

    /// A file's contents.
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Samples")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }
}
