import ArgumentParser
import FerryCore
import Foundation

/// `ferry trash`: what was removed and can come back.
struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Put items into the trash, list it, restore from it, empty it.",
        discussion: """
            On this machine it is the trash of the desktop (freedesktop.org), which is for
            people to look into; 'ferry rm' leaves it alone, and 'ferry undo' brings back
            what that removed.

            EXAMPLES
              ferry trash put old.txt
              ferry trash list
              ferry trash restore old.txt
              ferry trash empty work: --all
            """,
        subcommands: [
            TrashPutCommand.self, TrashListCommand.self, TrashRestoreCommand.self, TrashEmptyCommand.self,
        ]
    )

    /// The name of the ability.
    static let ability = "trash"
}
