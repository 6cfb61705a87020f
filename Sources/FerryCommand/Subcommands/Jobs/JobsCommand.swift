import ArgumentParser

/// `ferry jobs`: transfers that were interrupted.
struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Go on with transfers that were interrupted.",
        discussion: """
            'sync', 'cp' and 'mv' of folders and large files between different storages
            keep a journal; on this machine 'sync' does, and of large files and to new
            folders 'cp', and 'mv' to another disk. After Ctrl-C, a cut line or the death
            of the machine, the same command goes on where it was, where the target can
            inside of large files too; so does 'ferry jobs resume'. FERRY_JOURNAL=off is
            for no journal. It is $XDG_STATE_HOME/ferry/transfers.sqlite
            (~/.local/state).

            EXAMPLES
              ferry jobs                       what was interrupted
              ferry jobs resume                the only one
              ferry jobs resume 1f3a90c4
              ferry jobs forget --all
            """,
        subcommands: [JobsListCommand.self, JobsResumeCommand.self, JobsForgetCommand.self],
        defaultSubcommand: JobsListCommand.self
    )
}
