import ArgumentParser

/// Options of everything that prints items in an order.
struct OrderOptions: ParsableArguments {
    @Option(help: "Sort by natural, name, extension, modified, created, size or none (default: natural).")
    var sort: SortKey?

    @Flag(help: "Sort the other way round.")
    var reverse = false

    @Flag(help: "Show folders before everything else.")
    var foldersFirst = false

    /// The order; programs get the storage's own unless they ask for another, which spares memory and time.
    func order(isForPrograms: Bool) -> ListingOrder? {
        let wanted = ListingOrder(
            key: sort ?? (isForPrograms && !reverse && !foldersFirst ? .none : .natural),
            isReversed: reverse,
            foldersFirst: foldersFirst
        )
        return wanted.key == .none && !foldersFirst ? nil : wanted
    }
}

/// The option of everything that can replace something.
struct OverwriteOption: ParsableArguments {
    @Flag(
        name: [.customLong("overwrite"), .customShort("f")],
        help: "Replace files that exist, and merge into folders that do."
    )
    var isAllowed = false
}

extension ArgumentHelp {
    /// What a location is.
    static func location(_ purpose: String) -> ArgumentHelp {
        ArgumentHelp("\(purpose) A local path, or NAME:path on another storage.", valueName: "location")
    }
}
