import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The list of changes of a drive. See <https://learn.microsoft.com/graph/api/driveitem-delta>.
extension OneDriveFileProvider {
    /// Changes at most; of more, listing everything again is told to be better.
    private static let mostChanges = 100_000

    /// Pages at most.
    private static let mostDeltaPages = 10_000

    /// The changed items of a drive, each once as it is now, and the link to the changes after them.
    struct Delta: Sendable {
        /// The items in the order of their last mention.
        let items: [GraphItem]
        /// The link to the changes after them.
        let link: String
        /// The time by the service's clock when the answer began.
        let time: Date?
    }

    /// Returns the present moment in the drive's history.
    ///
    /// - Returns: The anchor.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func latestAnchor() async throws -> OneDriveAnchor {
        let moment = known.mark()
        // Drives of organizations tell changes of all of the drive only.
        let top = try await top()
        let isPersonal = try await driveType() == .personal
        let address = isPersonal ? top : GraphAddress(drive: top.drive, id: "root")
        let request = try connection.request(
            .get,
            address.route("/delta", [("token", "latest")]),
            fields: Self.deltaFields
        )
        let delta = try await delta(request)
        return OneDriveAnchor(link: delta.link, moment: moment, time: delta.time)
    }

    /// Returns what has changed since an anchor, in an order in which it can be applied.
    ///
    /// - Parameter anchor: The anchor.
    /// - Returns: The changes, and the anchor after them.
    /// - Throws: ``OneDriveError``; `AnchorExpiredError` where the former places of changed items are not known.
    func steps(since anchor: OneDriveAnchor) async throws -> (steps: [DeltaPlan.Step], anchor: OneDriveAnchor) {
        let moment = known.mark()
        let delta = try await delta(try connection.request(following: anchor.link, fields: Self.deltaFields))
        let isOwn = known.remembers(anchor.moment)
        let reader = DeltaReader(
            self,
            view: known.view(),
            since: isOwn ? anchor.moment.version : nil,
            time: anchor.time
        )
        let steps = try await reader.steps(delta.items)
        var (gone, folders, there): ([String], [ItemPath], [FileObject]) = ([], [], [])
        for step in steps {
            switch step {
            case .removed(_, let id?), .removedItem(let id): gone.append(id)
            case .removed(let path, nil): folders.append(path)
            case .updated(let update): there.append(update.item)
            }
        }
        known.note(gone: gone, below: folders, there: there, before: moment)
        // An anchor of another process stays one: nobody knows what that one has seen. What was new to it is not any more.
        let next = OneDriveAnchor(link: delta.link, moment: isOwn ? moment : anchor.moment, time: delta.time)
        return (steps, next)
    }

    /// Folders above what has changed are not wanted.
    private static var deltaFields: HTTPFields { [.known("deltaExcludeParent"): "true"] }

    /// Collects all pages of a list of changes.
    private func delta(_ request: HTTPFileRequest) async throws -> Delta {
        var request = request
        var items: [String: GraphItem] = [:]
        var order: [String: Int] = [:]
        var seenLinks: Set<String> = []
        var time: Date?
        while true {
            let answer = try await connection.answer(to: request, about: .root)
            if time == nil { time = answer.head.headerFields[.date].flatMap { HTTPDate.parse($0) } }
            let page = try GraphConnection.decoded(GraphPage.self, from: answer.body)
            note(page.value, foreignDriveID: nil)
            // Of several mentions of an item the last one counts.
            for item in page.value {
                items[item.id] = item
                order[item.id] = order.count + seenLinks.count
            }
            guard items.count <= Self.mostChanges, seenLinks.count <= Self.mostDeltaPages else {
                throw AnchorExpiredError(serverDescription: "so much has changed that listing is quicker")
            }
            if let link = page.nextLink {
                guard seenLinks.insert(link).inserted else { throw URLError.repeatedPage(of: "changes") }
                request = try connection.request(following: link, fields: Self.deltaFields)
                continue
            }
            guard let link = page.deltaLink else {
                throw URLError.answer(.cannotParseResponse, description: "the service gives no link to later changes")
            }
            let sorted = items.values.sorted { (order[$0.id] ?? 0, $0.id) < (order[$1.id] ?? 0, $1.id) }
            return Delta(items: sorted, link: link, time: time)
        }
    }
}
