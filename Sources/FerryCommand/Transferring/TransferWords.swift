import FerryCore
import FerryTransfer

/// The words in which a transfer is shown to a person.
enum TransferWords {
    /// A line of a plan: `update  photos/a.jpg  (other size)`.
    ///
    /// - Parameters:
    ///   - action: The action that would be done.
    ///   - top: The target as the person wrote it.
    /// - Returns: The line without its end.
    static func line(_ action: TransferAction, top: String) -> String {
        var text = action.words + "  "
        if let from = action.from { text += from.string.dropFirst() + " -> " }
        // Of a single file there is no path from its top.
        text += action.path.isRoot && action.kind != .makeFolder ? top : path(action.path)
        if action.kind == .makeFolder { text += "/" }
        return text + "  (\(action.reason.words))"
    }

    /// A path from the top of a transfer, as a person would write it there.
    static func path(_ path: ItemPath) -> String { path.isRoot ? "." : String(path.string.dropFirst()) }

    /// How much was done: `12 copied (3.4 MiB), 2 removed, 1,188 the same`.
    ///
    /// - Parameters:
    ///   - report: The report of the transfer.
    ///   - isPlan: `true` if it was only planned.
    /// - Returns: One line, without its end.
    static func summary(_ report: TransferReport, isPlan: Bool) -> String {
        func count(_ kinds: TransferAction.Kind...) -> Int { kinds.reduce(0) { $0 + (report.counts[$1] ?? 0) } }
        // Links that the target can't hold are told by themselves, and so are folders that nobody may remove.
        let left = count(.skip) - [.links, .folders].reduce(0) { $0 + (report.losses[$1] ?? 0) }
        var parts = ["\(Quantity.grouped(count(.add, .update))) copied (\(Quantity.words(bytes: report.bytes)))"]
        for (words, number) in [
            ("renamed", count(.rename)), ("removed", count(.remove)), ("left as they are", left),
            ("failed", report.failures.count),
        ] where number > 0 { parts.append("\(Quantity.grouped(number)) \(words)") }
        return (isPlan ? "would be: " : "") + parts.joined(separator: ", ")
    }

    /// That an edit may not be seen, and what finds it.
    ///
    /// - Parameter options: The options that do.
    /// - Returns: One line, without its end.
    static func sizeOnly(_ options: String) -> String {
        "compared by size only: edits that keep the size are not seen; use \(options)"
    }

    /// Returns what was lost, and of how many items.
    static func loss(_ loss: TransferReport.Loss, _ count: Int) -> String {
        switch loss {
        case .contents:
            "\(Quantity.count(count, "document")) changed by the service as it took them: their copies differ from the "
                + "originals for good, and are replaced only when one of the two changes"
        case .links: "\(Quantity.count(count, "symbolic link")) left out, since there are none there"
        case .folders: "\(Quantity.count(count, "folder")) left, since the server may hide what is in them"
        case .atomicity:
            "\(Quantity.count(count, "file")) written in place, since the server moves nothing: half a file stays there if "
                + "that breaks off"
        case .dates, .permissions, .extendedAttributes, .hardLinks:
            "\(loss.words) of \(Quantity.count(count, "item")) are not kept there"
        }
    }
}
