import ArgumentParser
import FerryCore
import Foundation

/// `ferry df`: the room on storages.
struct DiskFreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "df",
        abstract: "Show the room on storages.",
        discussion: """
            What a storage does not say is shown as '-', and left out with --json.

            EXAMPLES
              ferry df
              ferry df --json /data | jq .available
            """
    )

    @Argument(help: .location("Anything on the storage (default: this folder)."), completion: .file())
    var locations: [String] = []

    @Flag(help: "Print a JSON object a line, sizes in bytes.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        try await Session.run(reading.ofItems) { session in
            var rows: [(location: Location, volume: VolumeObject)] = []
            try await session.forEach(locations.isEmpty ? ["."] : locations) { location in
                let (place, item) = try await location.following()
                rows.append((location, try await place.volume(of: item)))
            }
            for (location, volume) in rows where json { try write(location, volume, session.output) }
            if !json, !rows.isEmpty { try writeTable(rows, session.output) }
        }
    }

    private func write(_ location: Location, _ volume: VolumeObject, _ sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("path", location.path.string)
            line.text("name", volume.name)
            line.number("total", volume.totalCapacity)
            line.number("available", volume.availableCapacity)
            line.number("used", volume.usedCapacity)
        }
    }

    private func writeTable(_ rows: [(location: Location, volume: VolumeObject)], _ sink: ByteSink) throws {
        let numbers =
            [["size", "used", "free"]]
            + rows.map { row in
                [row.volume.totalCapacity, row.volume.usedCapacity, row.volume.availableCapacity]
                    .map { $0.map(Quantity.short(bytes:)) ?? "-" }
            }
        for (index, columns) in numbers.enumerated() {
            for column in columns {
                sink.write(String(repeating: " ", count: max(0, 6 - column.count)) + column + "  ")
            }
            sink.write(name: index == 0 ? "location" : rows[index - 1].location.text)
            try sink.endLine()
        }
    }
}
