import Foundation

extension History {
    /// A command, with what taking it back and doing it again has made of it.
    struct Command {
        /// As it was given.
        let given: Group
        /// What was done with it since, the latest last.
        fileprivate(set) var turns: [Group] = []

        /// What became of it last.
        var latest: Group { turns.last ?? given }

        /// Bytes that are kept for it, and for what was done with it since.
        var kept: Int64 {
            ([given] + turns).reduce(0) { $0 + ($1.isDropped ? 0 : $1.kept) }
        }
    }

    /// What commands have done, each once; the latest last.
    var commands: [Command] {
        var commands: [Command] = []
        var places: [UUID: Int] = [:]
        for group in groups {
            switch group.header.kind {
            case .undo(let id), .redo(let id):
                if let place = places[id] {
                    commands[place].turns.append(group)
                    places[group.id] = place
                    continue
                }
            case .done: break
            }
            places[group.id] = commands.count
            commands.append(Command(given: group))
        }
        return commands
    }
}
