import Foundation

/// The files that contenders read.
enum SampleFiles: Sendable {
    /// An empty folder.
    case emptyFolder

    /// One file of so many bytes that no file system can shrink.
    case file(size: Int)

    /// Folders with the same number of files in each, all of one size.
    case tree(folders: Int, filesInEach: Int, size: Int)

    /// Photos with detail, in one folder.
    case photos(count: Int)

    /// Bytes that they take, roughly.
    var size: Int {
        switch self {
        case .emptyFolder: 0
        case .file(let size): size
        case .tree(let folders, let files, let size): folders * files * max(size, 4096)
        case .photos(let count): SamplePhotos(count: count).size
        }
    }

    /// Writes them.
    ///
    /// - Parameters:
    ///   - path: Where, a place that is free.
    ///   - command: Starts the programs that help.
    /// - Throws: An error of Foundation's if something can't be written; ``Command/Failure``.
    func make(at path: String, _ command: Command) throws {
        switch self {
        case .emptyFolder:
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .file(let size):
            try Self.makeFile(at: path, size: size)
        case .photos(let count):
            try SamplePhotos(count: count).make(at: path, command)
        case .tree(let folders, let files, let size):
            for folder in 0..<folders {
                let place = "\(path)/folder \(folder)"
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                for number in folder * files..<(folder + 1) * files {
                    let contents = Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
                    try contents.write(to: URL(fileURLWithPath: "\(place)/file \(number).txt"))
                }
            }
        }
    }

    private static func makeFile(at path: String, size: Int) throws {
        var generator = SystemRandomNumberGenerator()
        var words = (0..<(1 << 17)).map { _ in generator.next() }
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        var left = size
        while left > 0 {
            for index in stride(from: 0, to: words.count, by: 64) { words[index] = generator.next() }
            let chunk = words.withUnsafeBytes { Data($0.prefix(left)) }
            try file.write(contentsOf: chunk)
            left -= chunk.count
        }
        try file.close()
    }
}
