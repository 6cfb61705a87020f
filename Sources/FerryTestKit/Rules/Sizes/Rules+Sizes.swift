import FerryCore
import Foundation

extension ConformanceCheck {
    private static let chunk = DataChunks.chunkSize

    private static let chosenSizes: [(slug: String, words: String, count: Int)] = [
        ("zero", "no byte", 0),
        ("one", "one byte", 1),
        ("chunk-minus-one", "a chunk less one byte", chunk - 1),
        ("chunk", "exactly a chunk", chunk),
        ("chunk-plus-one", "a chunk and one byte", chunk + 1),
        ("two-chunks-plus-one", "two chunks and one byte", 2 * chunk + 1),
    ]

    /// Files of sizes at which off-by-one mistakes show.
    static let sizes: [ConformanceCheck] = chosenSizes.flatMap { size in
        [
            Self(
                ID(rawValue: "sizes.\(size.slug)-whole"),
                "\(size.words), written whole, comes back whole and with its size",
                needs: .writing
            ) { trial in
                let files = try trial.files
                let data = Trial.bytes(size.count)
                try await files.writeContents(path: trial["a.bin"], contents: data)
                try await trial.expectContents(of: trial["a.bin"], data)
                try await trial.expectSize(size.count)
            },
            Self(
                ID(rawValue: "sizes.\(size.slug)-streamed"),
                "\(size.words), sent as a stream of known or unknown length, comes back as a stream",
                needs: .streaming
            ) { trial in
                let streams = try trial.streams
                let data = Trial.bytes(size.count, seed: 2)
                for length in [Int64(size.count), nil] {
                    try await streams.writeStream(
                        path: trial["a.bin"],
                        contents: ScriptedChunks(data, chunkSize: 100_003),
                        length: length,
                        options: WriteOptions(overwrite: length == nil)
                    )
                    let stream = try await streams.contentStream(path: trial["a.bin"])
                    trial.expect(stream.facts.size.map { $0 == size.count } ?? true, "the facts tell another size")
                    if let difference = try await stream.collect().difference(from: data) { trial.fail(difference) }
                    try await trial.expectSize(size.count)
                }
            },
            Self(
                ID(rawValue: "sizes.\(size.slug)-transferred"),
                "\(size.words), uploaded and downloaded, is the same local file",
                needs: .writing
            ) { trial in
                let files = try trial.files
                let data = Trial.bytes(size.count, seed: 3)
                try await withLocalFolder { folder in
                    let url = try folder.write("up", data)
                    try await files.copyItem(localFile: url, to: trial["a.bin"])
                    try await trial.expectContents(of: trial["a.bin"], data)
                    try await files.copyItem(path: trial["a.bin"], toLocalURL: folder["down"])
                    if let difference = try folder.read("down").difference(from: data) { trial.fail(difference) }
                    trial.expectEqual(try folder.names, ["down", "up"], "names in the local folder")
                }
            },
        ]
    }
}

extension Trial {
    /// Notes a failure unless the only file's size is told everywhere.
    fileprivate func expectSize(
        _ count: Int,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let item = try await provider.attributesOfItem(path: self["a.bin"])
        expectEqual(item.size, Int64(count), "the size", filePath: filePath, line: line)
        let listed = try await provider.contentsOfDirectory(path: root).map(\.size)
        expectEqual(listed, [Int64(count)], "the listed size", filePath: filePath, line: line)
    }
}
