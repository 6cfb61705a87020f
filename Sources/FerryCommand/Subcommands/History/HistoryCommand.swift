import ArgumentParser

/// `ferry history`: what was done.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what ferry has done and can take back.",
        discussion: """
            'cp', 'mv', 'rm', 'mkdir', 'write', 'sync', 'trash' and 'versions restore'
            write down what they do, and keep what they replace or remove: on this machine
            under another name on the same disk, on a server as its versions, in its trash,
            or in a hidden folder, '.ferry-undo', at its top ('ferry ls --all-hidden' shows
            it; 'ferry remote add --no-undo' is for none). Where a server can't copy files,
            the copy is kept on this machine, 256 MiB at most.

            Kept are 1 GiB at most on each storage, for 30 days, of the last 200 commands;
            the oldest makes room. What is larger is removed for good, and that is said; so
            does 'ferry rm --permanent'. FERRY_HISTORY=5G is another limit,
            FERRY_HISTORY=off is for no history. It is $XDG_STATE_HOME/ferry/history
            (~/.local/state).

            EXAMPLES
              ferry history
              ferry history --json | jq -r 'select(.state == "done") | .id'
              ferry history show 3f2a91bc    all that a command has done
              ferry history salvage          what is kept, and no command leads to
              ferry history clear            frees what is kept
            """,
        subcommands: [
            HistoryListCommand.self, HistoryShowCommand.self, HistorySalvageCommand.self, HistoryClearCommand.self,
        ],
        defaultSubcommand: HistoryListCommand.self
    )
}
