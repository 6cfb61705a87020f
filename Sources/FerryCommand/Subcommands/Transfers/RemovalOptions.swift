import ArgumentParser
import FerryTransfer

/// The options of a sync about items that it would remove.
struct RemovalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Remove at most 20, or 10%, of the target (default: 50%).", valueName: "limit"))
    var maxDelete: RemovalLimit?

    @Flag(help: "Move what the source only renamed, and copy it not.")
    var trackRenames = false

    /// Indicates whether any of it was asked for.
    var isGiven: Bool { maxDelete != nil || trackRenames }

    /// Puts it into a transfer's options.
    func apply(to options: inout TransferOptions) {
        if let count = maxDelete?.count { options.largestRemovalCount = count }
        if let part = maxDelete?.part { options.largestRemoval = part }
        options.tracksRenames = trackRenames
    }
}
