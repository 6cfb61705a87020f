import FerryCore
import FerryMedia
import Foundation

/// A contact sheet: a folder's pictures beside each other, with their names below.
struct Gallery {
    private let session: Session
    private let terminal: PictureTerminal

    /// Characters that a picture takes up, and between two of them.
    private static let width = 20
    private static let gap = 2

    /// Rows of pictures that are made before they are shown.
    private static let rowsAhead = 3

    /// Pictures that a storage is asked for at once, about as many as services make with one request.
    private static let atOnce = 25

    /// Prepares for the terminal.
    ///
    /// - Parameter session: Where it is shown.
    /// - Throws: `CocoaError.featureUnsupported` if pictures can't be shown.
    init(_ session: Session) async throws {
        self.session = session
        terminal = try await PictureTerminal.require(
            descriptor: STDOUT_FILENO,
            environment: session.environment,
            advice: "leave out --gallery, or run it at a terminal with \(PictureStyle.variable) set"
        )
    }

    /// Lines of a picture: as high as a photo that is laid down.
    private var height: Int {
        max(
            2,
            min(
                terminal.rows - 2,
                (Self.width * terminal.cell.width * 3 / 4 + terminal.cell.height - 1) / terminal.cell.height
            )
        )
    }

    /// Shows items, row by row, as soon as a row's pictures are there.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - location: Where they are.
    /// - Throws: The error that ends the whole work.
    func show(_ items: [FileObject], _ location: Location) async throws {
        let across = max(1, (terminal.columns + Self.gap) / (Self.width + Self.gap))
        // Here each row shows as soon as it can; over a line, pictures of several rows come together.
        let count = location.storage.isRemote ? max(1, Self.atOnce / across) * across : across
        let (storage, terminal, height) = (location.storage, terminal, height)
        try await withThrowingTaskGroup(of: (Int, [GalleryPlace]).self) { group in
            var places: [Int: GalleryPlace] = [:]
            var begun = 0
            for start in stride(from: 0, to: items.count, by: across) {
                let end = min(start + across, items.count)
                while begun < min(items.count, start + across * (1 + Self.rowsAhead)) {
                    let (first, portion) = (begun, Array(items[begun..<min(begun + count, items.count)]))
                    group.addTask {
                        let places = try await GalleryPlace.places(
                            of: portion,
                            on: storage,
                            terminal,
                            columns: Self.width,
                            rows: height
                        )
                        return (first, places)
                    }
                    begun += portion.count
                }
                while (start..<end).contains(where: { places[$0] == nil }), let (first, made) = try await group.next() {
                    for (offset, place) in made.enumerated() { places[first + offset] = place }
                }
                let row = (start..<end).map { (items[$0], places.removeValue(forKey: $0) ?? .nothing) }
                try show(row, location)
            }
        }
    }

    private func show(_ row: [(item: FileObject, place: GalleryPlace)], _ location: Location) throws {
        let pictures = row.enumerated().compactMap { index, cell in
            if case .picture(let picture) = cell.place { (picture, index * (Self.width + Self.gap)) } else { nil }
        }
        try session.output.write(pictures, rows: pictures.map(\.0.rows).max() ?? 0)
        for (index, (item, _)) in row.enumerated() {
            let name = TerminalText.shortened(TerminalText.harmless(item.name), to: Self.width)
            session.output.write(session.styling.text(name, session.styling.style(of: item)))
            guard index < row.count - 1 else { continue }
            let room = Self.width + Self.gap - TerminalText.columns(of: name)
            session.output.write(String(repeating: " ", count: max(1, room)))
        }
        try session.output.endLine()
        if !pictures.isEmpty { try session.output.endLine() }
        try session.output.show()
        for (item, place) in row {
            if case .failure(let error) = place { session.report(error, [location.replacing(path: item.path)]) }
        }
    }
}
