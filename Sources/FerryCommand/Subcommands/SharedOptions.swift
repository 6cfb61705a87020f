import ArgumentParser
import FerryCore

/// Options of everything that prints items in an order.
struct OrderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What to sort by (default: natural).", valueName: "key"))
    var sort: SortKey?

    @Flag(help: "Sort the other way round.")
    var reverse = false

    @Flag(help: "Show folders before everything else.")
    var foldersFirst = false

    /// The order, or `nil` for the storage's own, which spares memory and time: programs get it unless they ask.
    func order(isForPrograms: Bool) -> FileObjectSorting? {
        let isAskedFor = sort != nil || reverse || foldersFirst
        guard isAskedFor || !isForPrograms, let key = (sort ?? .natural).key else { return nil }
        return FileObjectSorting(by: key, ascending: !reverse, foldersFirst: foldersFirst)
    }
}

/// The property that a listing is sorted by, as an option says it.
enum SortKey: String, ExpressibleByArgument, CaseIterable {
    case natural, name, `extension`, modified, created, size, none

    /// The library's name for it; `nil` for no order.
    fileprivate var key: FileObjectSorting.Key? {
        switch self {
        case .natural: .name
        case .name: .nameCaseSensitive
        case .extension: .pathExtension
        case .modified: .modifiedDate
        case .created: .creationDate
        case .size: .size
        case .none: nil
        }
    }

    /// The meaning of each word, for the help.
    static var allValueDescriptions: [String: String] {
        [
            "natural": "names as a person sorts them: a2 before a10",
            "name": "names byte by byte: Z before a",
            "extension": "what follows the last dot",
            "modified": "the oldest first",
            "created": "the oldest first",
            "size": "the smallest first",
            "none": "the storage's own order",
        ]
    }
}

/// The option of everything that can replace a file.
struct OverwriteOption: ParsableArguments {
    @Flag(name: [.customLong("overwrite"), .customShort("f")], help: "Replace files that exist.")
    var isAllowed = false
}

/// The option of everything that can replace files, and fill folders that are there.
struct MergeOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("f")],
        help: "Replace files that exist, and merge into folders that do."
    )
    var isAllowed = false
}

/// The option of everything that makes items, and can choose another name for one.
struct KeepBothOption: ParsableArguments {
    @Flag(name: .customLong("keep-both"), help: "If the name is taken, keep what has it, and take a free one.")
    var isWanted = false
}

extension ArgumentHelp {
    /// Returns what a location is.
    static func location(_ purpose: String, called name: String = "location") -> ArgumentHelp {
        ArgumentHelp("\(purpose) A local path, or NAME:path on another storage.", valueName: name)
    }
}
