import FerryCore
import Foundation
import NIOCore

/// A method in its completion-handler form.
struct HandlerForm: Sendable {
    typealias Finish = @Sendable (Ending) -> Void

    let slug: String
    let words: String
    let needs: [ConformanceNeed]
    /// An item for which it works, where `a.txt` and `folder/b.txt` exist.
    let good: ItemPath
    /// An item for which it fails with fileNoSuchFile; `nil` if it never does.
    let bad: ItemPath?
    /// Begins the work on an item.
    let start: @Sendable (Trial, ItemPath, @escaping Finish) throws -> Progress

    static let all = questions + changes

    // MARK: Calls that change nothing

    static let questions = [
        HandlerForm(slug: "list", words: "listing", needs: [], good: "folder", bad: "gone") { trial, path, finish in
            trial.provider.contentsOfDirectory(path: path) { finish(Ending($0.isEmpty ? nil : $0, $1)) }
        },
        HandlerForm(slug: "attributes", words: "attributes", needs: [], good: "a.txt", bad: "gone") {
            $0.provider.attributesOfItem(path: $1, completionHandler: handler($2))
        },
        HandlerForm(slug: "search", words: "searching", needs: [], good: "folder", bad: "gone") { trial, path, finish in
            trial.provider.searchFiles(path: path, recursive: true, query: FileQuery.all) {
                finish(Ending($0.isEmpty ? nil : $0, $1))
            }
        },
        HandlerForm(slug: "room", words: "storage properties", needs: [], good: "/", bad: nil) { trial, _, finish in
            trial.provider.storageProperties(completionHandler: handler(finish))
        },
        HandlerForm(slug: "reachable", words: "reachability", needs: [], good: "/", bad: nil) { trial, _, finish in
            trial.provider.isReachable { finish(Ending($0 ? true : nil, $1)) }
        },
        HandlerForm(slug: "read", words: "reading", needs: [.reading], good: "a.txt", bad: "gone") {
            try $0.reading.contents(path: $1, completionHandler: handler($2))
        },
        HandlerForm(slug: "read-part", words: "reading a part", needs: [.reading], good: "a.txt", bad: "gone") {
            try $0.reading.contents(path: $1, offset: 0, length: 1, completionHandler: handler($2))
        },
        HandlerForm(slug: "stream", words: "streaming", needs: [.streams], good: "a.txt", bad: "gone") {
            trial,
            path,
            finish in
            try trial.streams.contentStream(path: path) { _, _ in
            } completionHandler: {
                finish(Ending($0))
            }
        },
        HandlerForm(slug: "versions", words: "versions", needs: [.versions], good: "a.txt", bad: "gone") {
            try $0.versioning.versions(of: $1, completionHandler: handler($2))
        },
        HandlerForm(slug: "anchor", words: "the anchor", needs: [.changeTracking], good: "/", bad: nil) {
            trial,
            _,
            finish in
            try trial.tracking.currentAnchor(completionHandler: handler(finish))
        },
    ]

    // MARK: Calls that change something

    static let changes = [
        HandlerForm(slug: "write", words: "writing", needs: .writing, good: "new", bad: "gone/new") {
            try $0.files.writeContents(path: $1, contents: Data(file: "x"), completionHandler: errorHandler($2))
        },
        HandlerForm(slug: "write-stream", words: "writing a stream", needs: .streaming, good: "new", bad: "gone/new") {
            trial,
            path,
            finish in
            try trial.streams.writeStream(path: path, contents: DataChunks(Data(file: "x"))) { finish(Ending($1)) }
        },
        HandlerForm(slug: "create", words: "making a folder", needs: .writing, good: "new", bad: "gone/new") {
            try $0.files.create(folder: $1.lastName, at: $1.parent, completionHandler: errorHandler($2))
        },
        HandlerForm(slug: "copy", words: "copying", needs: .writing, good: "folder", bad: "gone") {
            try $0.files.copyItem(path: $1, to: $0["new"], completionHandler: errorHandler($2))
        },
        HandlerForm(slug: "move", words: "moving", needs: .writing, good: "folder", bad: "gone") {
            try $0.files.moveItem(path: $1, to: $0["new"], completionHandler: errorHandler($2))
        },
        HandlerForm(slug: "remove", words: "removing", needs: .writing, good: "folder", bad: "gone") {
            try $0.files.removeItem(path: $1, completionHandler: errorHandler($2))
        },
        HandlerForm(
            slug: "link",
            words: "linking",
            needs: .writing + [.links],
            good: "new",
            bad: "gone/new"
        ) {
            try $0.links.create(symbolicLink: $1, withDestination: "a.txt", completionHandler: errorHandler($2))
        },
        HandlerForm(slug: "trash", words: "trashing", needs: .writing + [.trash], good: "a.txt", bad: "gone") {
            try $0.trash.trashItem(path: $1, completionHandler: handler($2))
        },
    ]

    private static func handler<Value>(_ finish: @escaping Finish) -> @Sendable (Value?, (any Error)?) -> Void {
        { finish(Ending($0, $1)) }
    }

    private static func errorHandler(_ finish: @escaping Finish) -> @Sendable ((any Error)?) -> Void {
        { finish(Ending($0)) }
    }
}
