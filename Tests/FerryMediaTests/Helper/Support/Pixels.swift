import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

/// Looks at pictures with libvips's own command.
enum Pixels {
    /// The colours at some places, from 0 to 255 for each of red, green, blue, and perhaps alpha.
    static func colours(in data: [UInt8], at places: [(x: Int, y: Int)]) async throws -> [[Int]] {
        let file = FileManager.default.temporaryDirectory.appending(path: "ferry-pixels-\(UUID().uuidString)")
        try Data(data).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var colours: [[Int]] = []
        for place in places {
            let result = try await TestProgram.run("vips", ["getpoint", file.path, "\(place.x)", "\(place.y)"])
            try #require(result.ending.isSuccess, "\(result.errors)")
            colours.append(
                result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }.map { Int($0) }
            )
        }
        return colours
    }

    /// Which of the flag's and the film's colours it is.
    static func name(_ colour: [Int]) -> String {
        guard colour.count >= 3 else { return "\(colour)" }
        return switch (colour[0] > 160, colour[1] > 90, colour[2] > 160) {
        case (true, false, false): "red"
        case (false, true, false): "green"
        case (false, false, true): "blue"
        case (true, true, true): "white"
        default: "\(colour)"
        }
    }
}
