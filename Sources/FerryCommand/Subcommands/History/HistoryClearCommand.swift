import ArgumentParser
import FerryCore
import Foundation

/// `ferry history clear`: frees what is kept.
struct HistoryClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Forget what was done, and remove for good what is kept for it.",
        discussion: """
            What is in a trash, or is a server's version, stays there. The hidden folder on
            a server goes when it is empty; what others keep in it stays.

            EXAMPLES
              ferry history clear
            """
    )

    func run() async throws {
        try await Session.run { session in
            let keeper = HistoryKeeper(session)
            let groups = try await keeper.read().groups.filter { !$0.isRunning && !$0.isDropped }
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
            for prefix in Set(groups.flatMap(\.places)).sorted() { await keeper.removeEmptyAside(prefix) }
            try await keeper.forgetDropped()
            session.output.write("\(Quantity.words(bytes: bytes)) freed\n")
        }
    }
}
