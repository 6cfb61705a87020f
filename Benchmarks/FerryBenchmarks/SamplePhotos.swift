import Foundation

/// Photos of 12 megapixels with clouds and grain, of 4 MB each, made by libvips's own command.
///
/// There are 20 of them, under as many names as are wanted.
struct SamplePhotos: Sendable {
    /// How many names there are.
    let count: Int

    private static let distinct = 20
    private static let bytes = 4_300_000

    /// Bytes that they take, roughly, with what they are made of.
    var size: Int { Self.distinct * Self.bytes + 700_000_000 }

    /// Writes them.
    ///
    /// - Parameters:
    ///   - path: A folder that isn't there yet.
    ///   - command: Starts programs.
    /// - Throws: ``Command/Failure`` without the program.
    func make(at path: String, _ command: Command) throws {
        let work = path + "/parts", manager = FileManager.default
        try manager.createDirectory(atPath: work, withIntermediateDirectories: true)
        let (width, height) = ("4400", "3300")
        let steps = [
            "fractsurf clouds.v \(width) \(height) 2.4", "scale clouds.v flat.v",
            "gaussnoise grain.v \(width) \(height) --mean 0 --sigma 8", "add flat.v grain.v green.v",
            "perlin one.v \(width) \(height) --cell-size 400", "linear one.v warm.v 40 0", "add green.v warm.v red.v",
            "perlin two.v \(width) \(height) --cell-size 300", "linear two.v cold.v 40 0", "add green.v cold.v blue.v",
        ]
        for step in steps { try vips(step.split(separator: " ").map(String.init), in: work, command) }
        try vips(["bandjoin", "\(work)/red.v \(work)/green.v \(work)/blue.v", "all.v"], in: work, command)
        try vips(["cast", "all.v", "bytes.v", "uchar"], in: work, command)
        try vips(["copy", "bytes.v", "photo.v", "--interpretation", "srgb"], in: work, command)
        for number in 0..<Self.distinct {
            let (left, top) = (String(number * 20), String(number * 15))
            let options = ["extract_area", "photo.v", "\(number).jpg[Q=90]", left, top, "4000", "3000"]
            try vips(options, in: work, command)
        }
        for number in 0..<count {
            try manager.linkItem(atPath: "\(work)/\(number % Self.distinct).jpg", toPath: "\(path)/photo \(number).jpg")
        }
        try manager.removeItem(atPath: work)
    }

    private func vips(_ arguments: [String], in folder: String, _ command: Command) throws {
        let named = arguments.map { argument in
            let isFile = argument.hasSuffix(".v") || argument.contains(".jpg")
            return isFile && !argument.hasPrefix("/") ? "\(folder)/\(argument)" : argument
        }
        _ = try command.run(["/usr/bin/vips"] + named)
    }
}
