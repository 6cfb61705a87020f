public import FerryCore
import FerryHTTP
import Foundation

extension OneDriveFileProvider {
    /// Moves or renames items: each 20 are asked for with one request, and moved by their identifiers with another.
    ///
    /// These are made one by one: moves to other drives or to other spellings of the items' names, and those that replace
    /// something.
    ///
    /// - Parameters:
    ///   - moves: Any number of items, each with its new path.
    ///   - overwrite: A Boolean value that indicates whether files there may be replaced, and folders merged into.
    /// - Returns: For each item, in the same order, success or the error of ``moveItem(path:to:overwrite:reporting:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being moved.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await BatchRounds.perform(
            moves,
            atMost: GraphConnection.mostInBatch,
            ordersIdentifiers: overwrite,
            about: { [$0.path, $0.target] },
            where: { Self.isPlain($0.path) && !$0.target.isRoot && !$0.target.beginsWithIdentifier },
            together: { try await moveTogether($0, overwrite: overwrite) },
            alone: { try await moveItem(path: $0.path, to: $0.target, overwrite: overwrite, reporting: nil) }
        )
    }

    /// A move of which all is known that a request takes.
    private struct ReadyMove: Sendable {
        let source: OneDriveTransfer.Source
        let address: GraphAddress
        let request: GraphBatchRequest
    }

    private func moveTogether(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        let sources = try await sources(of: moves)
        var ready: [Int: ReadyMove] = [:]
        var refused: [Int: CocoaError] = [:]
        for (index, source) in sources.enumerated() {
            guard let source else { continue }
            do {
                ready[index] = try await self.ready(source, to: moves[index].target)
            } catch let error as CocoaError {
                refused[index] = error
            }
        }
        let indices = ready.keys.sorted()
        let requests = indices.compactMap { ready[$0]?.request }
        guard let outcomes = requests.isEmpty ? [] : try await outcomes(of: requests) else {
            return try await oneByOne(moves) {
                try await moveItem(path: $0.path, to: $0.target, overwrite: overwrite, reporting: nil)
            }
        }
        let outcome = Dictionary(zip(indices, outcomes)) { first, _ in first }
        return await resultOfEach(Array(moves.indices)) { index in
            let move = moves[index]
            if let error = refused[index] { throw error }
            if let ready = ready[index], let outcome = outcome[index],
                try await isDone(ready, to: move.target, outcome, overwrite: overwrite)
            {
                return
            }
            try await moveItem(path: move.path, to: move.target, overwrite: overwrite, reporting: nil)
        }
    }

    /// Asks for items that are to be moved.
    ///
    /// - Returns: For each move, in the same order, its item; `nil` for one that is to be asked for by itself.
    private func sources(of moves: [ItemMove]) async throws -> [OneDriveTransfer.Source?] {
        try await mappingRefusals(whileWriting: true) {
            var places: [OneDrivePlace] = []
            for move in moves { places.append(try await place(of: move.path)) }
            let requests = zip(moves, places).map { move, place in
                let route = place.address.route("", [("$select", Self.listedMembers)])
                return GraphBatchRequest(method: .get, route: route, path: move.path, isIdempotent: true)
            }
            guard let answers = try await outcomes(of: requests) else { return moves.map { _ in nil } }
            return zip(moves, zip(places, answers)).map { move, found in
                let (place, answer) = found
                // One that was refused, or can't be read, is asked for by itself, and fails with its own words.
                guard case .success(let json) = answer, let item = Self.item(json),
                    let file = try? fileObject(item, at: move.path, foreignDriveID: place.foreignDriveID)
                else { return nil }
                note([item], foreignDriveID: place.foreignDriveID)
                remember(item, at: move.path, place)
                return OneDriveTransfer.Source(item: item, place: place, path: file.path)
            }
        }
    }

    /// Prepares the request that moves an item.
    ///
    /// - Returns: `nil` for a move that takes more than one request, or is refused.
    /// - Throws: `CocoaError.fileNoSuchFile` without the target's folder; errors of the connection.
    private func ready(_ source: OneDriveTransfer.Source, to target: ItemPath) async throws -> ReadyMove? {
        let (sourceKey, targetKey) = (OneDriveName.key(source.path), OneDriveName.key(target))
        guard sourceKey != targetKey, !(source.isFolder && targetKey.isBelow(sourceKey)) else { return nil }
        return try await mappingRefusals(whileWriting: true, target: target) {
            let transfer = OneDriveTransfer(provider: self, kind: .move, progress: nil)
            guard try await !transfer.isElsewhere(source, than: target.parent) else { return nil }
            let address = GraphAddress(drive: source.place.address.drive, id: source.item.id)
            let request = GraphBatchRequest(
                method: .patch,
                route: address.route(),
                body: try await moveBody(to: target),
                path: source.path,
                isIdempotent: false
            )
            return ReadyMove(source: source, address: address, request: request)
        }
    }

    /// Returns whether an item was moved.
    ///
    /// - Returns: `false` for one that is to be moved by itself.
    /// - Throws: The refusal; the error that leaves it open.
    private func isDone(
        _ move: ReadyMove,
        to target: ItemPath,
        _ outcome: Result<JSONValue, any Error>,
        overwrite: Bool
    ) async throws -> Bool {
        let source = move.source
        switch outcome {
        case .success(let answer):
            if let moved = Self.item(answer) {
                await noteDone(moved, move, to: target)
            } else {
                folders.forget(source.path)
            }
            return true
        case .failure(let error):
            let refusal = error as? OneDriveError
            // A move that replaces something goes by itself.
            if refusal?.answeredStatusCode == 401 || (overwrite && refusal?.reason == .exists) { return false }
            let failure = refusal?.mapped(whileWriting: true, target: target) ?? error
            guard error.leavesDoubt else { throw failure }
            do {
                // The identifier stays the same: where the item is now says what has come of it.
                let place = OneDrivePlace(address: move.address, foreignDriveID: nil)
                let now = try await graphItem(at: place, about: source.path)
                if try await isMoved(now, from: source.item, to: target, .fail) {
                    await noteDone(now, move, to: target)
                    return true
                }
            } catch let cancellation as CancellationError {
                throw cancellation
            } catch _ {
                throw failure
            }
            // Again by its identifier, as a single move: something else may have its path by now.
            try await mappingRefusals(whileWriting: true, target: target) {
                _ = try await relocate(source.item, at: source.place, from: source.path, to: target)
            }
            return true
        }
    }

    /// Notes a move that was made; what can't be noted is asked for again later.
    private func noteDone(_ moved: GraphItem, _ move: ReadyMove, to target: ItemPath) async {
        do {
            try await noteMove(moved, at: move.address, from: move.source.path, to: target)
        } catch {
            folders.forget(move.source.path)
        }
    }

    /// Reads the description of an item; `nil` for anything else.
    private static func item(_ json: JSONValue) -> GraphItem? {
        guard let data = try? JSONEncoder().encode(json) else { return nil }
        return try? GraphConnection.decoded(GraphItem.self, from: data)
    }
}
