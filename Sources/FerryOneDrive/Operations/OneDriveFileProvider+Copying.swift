import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension OneDriveFileProvider {
    /// The longest pause between two questions about a job.
    private static let longestPause = Duration.seconds(5)

    /// The time after which a job that makes no progress is given up.
    private static let longestStandstill = Duration.seconds(30 * 60)

    /// The beginning of a copy.
    private enum BegunCopy {
        /// The answer that leads to the job.
        case job(HTTPFileAnswer)
        /// The copy of a job whose address was lost.
        case done(GraphItem)
    }

    /// The end of a job, as far as the service names the item that has come of it.
    private struct FinishedJob {
        var itemID: String?
        var itemURL: String?
    }

    /// Copies an item, and waits for the service's job.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - place: Its place.
    ///   - path: Its path.
    ///   - target: The copy's path.
    ///   - conflict: The fate of the copy if its name is taken.
    ///   - progress: 1 unit is added, and fills as the service says.
    /// - Returns: The copy, with the dates of the original.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func copy(
        _ item: GraphItem,
        at place: OneDrivePlace,
        from path: ItemPath,
        to target: ItemPath,
        _ conflict: OneDriveConflict = .fail,
        reporting progress: Progress?
    ) async throws -> FileObject {
        let address = GraphAddress(drive: place.address.drive, id: item.id)
        let folder = try await folder(at: target.parent)
        let request = try await relocationRequest(.copy, address, to: target, conflict)
        let begun = try await connection.onceOnly(repeats: conflict != .rename) {
            BegunCopy.job(try await connection.answer(to: request, about: path))
        } outcome: {
            // Of a folder nobody can say whether all of it has come.
            guard conflict == .fail, let file = item.file, let hash = file.hashes?.quickXorHash,
                let there = try await attributesIfExists(path: target), there.extras[.checksums]?[.quickXor] == hash
            else { return nil }
            return .done(try await graphItem(at: try await self.place(of: target), about: target))
        }
        // The job goes on whatever becomes of a question about it, so that is no reason to begin another.
        let copied =
            switch begun {
            case .done(let item): item
            case .job(let answer):
                try await self.item(
                    of: try await finishedJob(answer, about: path, reporting: progress),
                    in: folder,
                    about: target,
                    conflict
                )
            }
        let dated = try await withDates(copied, of: item, in: folder, about: target)
        let file = try fileObject(dated, at: target, foreignDriveID: folder.foreignDriveID)
        remember(dated, at: file.path, OneDrivePlace(address: folder.address, foreignDriveID: folder.foreignDriveID))
        return file
    }

    /// Asks for the item that has come of a job.
    private func item(
        of job: FinishedJob,
        in folder: OneDriveFolder,
        about target: ItemPath,
        _ conflict: OneDriveConflict
    ) async throws -> GraphItem {
        if let id = job.itemID {
            let address = GraphAddress(drive: folder.address.drive, id: id)
            return try await graphItem(
                at: OneDrivePlace(address: address, foreignDriveID: folder.foreignDriveID),
                about: target
            )
        }
        if let url = job.itemURL { return try await connection.follow(url, as: GraphItem.self, about: target) }
        guard conflict == .fail else {
            // At the target is the item that had the name before.
            throw URLError.answer(
                .cannotParseResponse,
                about: target,
                description: "the service does not name the copy"
            )
        }
        return try await graphItem(at: try await place(of: target), about: target)
    }

    /// Gives a copy the date of its original, which copying does not keep.
    private func withDates(
        _ copy: GraphItem,
        of item: GraphItem,
        in folder: OneDriveFolder,
        about path: ItemPath
    ) async throws -> GraphItem {
        guard item.kind == .file, let date = item.fileSystemInfo?.lastModifiedDateTime,
            OneDriveDate.date(copy.fileSystemInfo?.lastModifiedDateTime) != OneDriveDate.date(date)
        else { return copy }
        return try await connection.call(
            .patch,
            GraphAddress(drive: folder.address.drive, id: copy.id).route(),
            ["fileSystemInfo": ["lastModifiedDateTime": .text(date)]],
            as: GraphItem.self,
            about: path,
            isIdempotent: true
        )
    }

    /// Waits for a job; the URL that reports it carries its own permission.
    ///
    /// - Parameters:
    ///   - answer: The answer that has begun the job.
    ///   - path: The item that it is about.
    ///   - progress: 1 unit is added, and fills as the service says.
    /// - Returns: The new item, as far as the service names it.
    /// - Throws: ``OneDriveError`` when the job fails; `CancellationError`, `URLError.timedOut` for a job that makes no
    ///   progress, `.badServerResponse` when the service does not say how it stands: after these it may go on.
    private func finishedJob(
        _ answer: HTTPFileAnswer,
        about path: ItemPath,
        reporting progress: Progress?
    ) async throws -> FinishedJob {
        guard let url = answer.head.headerFields[.location] else {
            let item = try GraphConnection.decoded(JSONValue.self, from: answer.body)
            return FinishedJob(itemID: item["id"].string ?? item["resourceId"].string)
        }
        let part = progress.map { parent in
            let part = Progress(totalUnitCount: 100)
            parent.totalUnitCount = max(parent.totalUnitCount, parent.completedUnitCount + 1)
            parent.addChild(part, withPendingUnitCount: 1)
            return part
        }
        var pause = Duration.milliseconds(100)
        var (standstill, reached) = (Duration.zero, Int64(0))
        while standstill < Self.longestStandstill {
            let request = try connection.request(following: url)
            let reply = try await askingAboutJob(path) {
                try await connection.answer(to: request, about: path, isSigned: false) {
                    $0.kind == .successful || $0.code == 303
                }
            }
            // The other way to say that it is done: where the item is. The body may be anything then.
            if reply.head.status.code == 303 {
                part?.completedUnitCount = 100
                let job = (try? GraphConnection.decoded(JSONValue.self, from: reply.body)) ?? .null
                return FinishedJob(itemID: job["resourceId"].string, itemURL: reply.head.headerFields[.location])
            }
            let job = try GraphConnection.decoded(JSONValue.self, from: reply.body)
            switch job["status"].string {
            case "completed":
                part?.completedUnitCount = 100
                return FinishedJob(itemID: job["resourceId"].string, itemURL: job["resourceLocation"].string)
            case "failed", "cancelled", "deleteFailed":
                part?.completedUnitCount = 100
                throw Self.failure(of: job, about: path)
            default: break
            }
            let percent = Self.percent(job["percentageComplete"])
            if percent > reached { (standstill, reached) = (.zero, percent) }
            part?.completedUnitCount = reached
            try await connection.clock.sleep(for: pause)
            standstill += pause
            pause = min(pause * 2, Self.longestPause)
        }
        throw URLError.answer(.timedOut, about: path, description: "the service does not get on with the copy")
    }

    private static func percent(_ value: JSONValue) -> Int64 {
        switch value {
        case .integer(let percent): min(100, max(0, percent))
        case .decimal(let percent): Int64(min(100, max(0, percent)))
        default: 0
        }
    }

    /// Makes the error of a job that has failed, for which there is no status.
    private static func failure(of job: JSONValue, about path: ItemPath) -> OneDriveError {
        var details = job["error"]
        if details == .null { details = ["code": .text(job["errorCode"].string), "message": job["statusDescription"]] }
        let plain = OneDriveError(status: 400, path: path, details: details)
        let status = plain.reason.statusCode(answered: 400)
        return OneDriveError(status: status, path: path, details: details)
    }
}
