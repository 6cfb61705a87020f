import ArgumentParser

/// `ferry cache`: what is kept of remotes on this machine.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "See, write out and clear what is kept of remotes.",
        discussion: """
            What is read of remotes is kept in $XDG_CACHE_HOME/ferry (~/.cache), for its
            owner only. Nothing of it is shown unasked: 'ls' and its like ask the remote
            in any case, and 'cat' takes from it only what the remote still has the same.
            With --offline they ask no remote, and show what is kept; with --fresh they
            fetch all anew. What was not used for the longest time goes first.

            How much is kept: 'limit = "5G"' below '[cache]' in the file
            $XDG_CONFIG_HOME/ferry/config.toml (~/.config); 0 is for nothing. Nothing is
            kept of a remote with 'cache = false' in remotes.toml ('ferry remote add
            --no-cache'), and with FERRY_CACHE=off.

            EXAMPLES
              ferry cache                      how much it is, and of what
              ferry ls --offline work:reports  as it was when it was listed last
              ferry cache list work:reports
              ferry cache export work:reports ~/rescued
              ferry cache clear work:
            """,
        subcommands: [
            CacheInfoCommand.self, CacheListCommand.self, CacheExportCommand.self, CacheClearCommand.self,
        ],
        defaultSubcommand: CacheInfoCommand.self
    )
}
