import ArgumentParser
import FerryCore
import FerryUndo
import Foundation
import Logging

/// `ferry history clear`: frees what is kept.
struct HistoryClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget what was done, and remove for good what is kept for it.",
        discussion: """
            What is in a trash, or is a server's version, stays there. The hidden folder
            on a server goes when it is empty; what others keep in it stays, unless
            --others is given.

            EXAMPLES
              ferry history clear
              ferry history clear --others
              ferry history clear --others --on work
            """
    )

    @Flag(
        help: ArgumentHelp(
            "Remove also what other machines keep on these servers.",
            discussion: "Their 'ferry undo' won't find it any more; 'ferry history salvage' shows what that is."
        )
    )
    var others = false

    @Option(help: ArgumentHelp("Look at a remote that the history does not name, too.", valueName: "remote"))
    var on: [String] = []

    func run() async throws {
        try await Session.run { session in
            try await HistoryLock.hold(session) { try await clear(session) }
        }
    }

    private func clear(_ session: Session) async throws {
        let keeper = HistoryKeeper(session)
        let known = try await keeper.read().groups.filter { !$0.isDropped }
        let groups = known.filter { !$0.isRunning }
        let used = Set(known.filter(\.isRunning).flatMap(\.entries).flatMap(\.entry.steps).compactMap(\.kept))
        var bytes: Int64 = 0
        for group in groups {
            do {
                bytes += try await keeper.drop([group])
            } catch let error where Session.isEnd(error) {
                throw error
            } catch {
                session.report(error)
            }
        }
        bytes += try await keeper.removeStrays()
        for prefix in Set(groups.flatMap(\.places) + on.map(RemoteName.prefix)).sorted() where !prefix.isEmpty {
            bytes += try await clearOthers(prefix, except: used, keeper, session)
            await keeper.removeEmptyAside(prefix)
        }
        try await keeper.forgetDropped()
        session.output.write("\(Quantity.words(bytes: bytes)) freed\n")
    }

    /// Removes what others keep in the hidden folder of a server, or says that there is such.
    ///
    /// - Parameters:
    ///   - prefix: The server: what locations there begin with.
    ///   - used: The items that a running command needs.
    ///   - keeper: Leads to the server.
    ///   - session: Says what stays, and why the server can't be asked.
    /// - Returns: Bytes that are free now, as far as they are known.
    /// - Throws: Cancellation.
    private func clearOthers(
        _ prefix: String,
        except used: Set<KeptItem>,
        _ keeper: HistoryKeeper,
        _ session: Session
    ) async throws -> Int64 {
        do {
            let storage = try await keeper.storage(prefix).undo
            let items = try await storage.itemsInAside().filter { !used.contains(.aside($0.id)) }
            guard !items.isEmpty else { return 0 }
            if others {
                await storage.discard(items.map { .aside($0.id) })
                return items.reduce(0) { $0 + ($1.item.size ?? 0) }
            }
            let words = items.count == 1 ? "1 item of others stays" : "\(items.count) items of others stay"
            session.console.tell(
                TerminalText.oneLine(
                    "\(prefix) \(words) in '.ferry-undo'; 'ferry history clear --others --on \(prefix)' removes that"
                )
            )
        } catch let error where Session.isEnd(error) {
            throw error
        } catch  where others || !on.isEmpty {
            session.report(error)
        } catch {
            // Nobody has asked for it: what stays there is said when the server can be reached.
            session.providerLogger.debug("nobody knows what others keep", metadata: ["error": "\(error)"])
        }
        return 0
    }
}
