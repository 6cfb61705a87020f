import FerryCore
import FerryLocal
import Foundation

extension DemoTour {
    /// Renames a folder on the disk, and shows what somebody hears who watches.
    func watch() async throws {
        try title("Watch the sample while a folder of it gets another name", "ferry watch \(sample.lastName)")
        let changes = try await local.changes(under: .root)
        let (heard, time) = try await timed { () -> FileChange? in
            try await local.moveItem(path: "/Letters", to: "/Correspondence")
            var iterator = changes.makeAsyncIterator()
            return try await iterator.next()
        }
        guard let heard, case .moved(let previous) = heard.kind else {
            return try done("nobody told of it", time)
        }
        try line("moved       \(previous) -> \(heard.path)")
        try await local.moveItem(path: "/Correspondence", to: "/Letters")
        try done("one change, with all that is in the folder", time)
    }
}
