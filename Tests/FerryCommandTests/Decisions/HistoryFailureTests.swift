import FerryCore
import FerryMemory
import FerryUndo
import Foundation
import Testing

@testable import FerryCommand

@Suite("The failure of an undoing that had begun")
struct HistoryFailureTests {
    private func shown(_ failure: any Error) throws -> any Error {
        let header = HistoryHeader(kind: .done, date: Date(), arguments: [], folder: "/", process: .current)
        let id = try #require(UUID(uuidString: "0198F0E2-0000-7000-8000-000000000000"))
        let command = History.Command(given: History.Group(id: id, header: header, entries: []))
        let entry = UndoEntry(operation: .create(path: "/a"), steps: [.added("/a", nil, again: nil)])
        let left = UndoPerformer.Work(entry, on: UndoStorage(MemoryFileProvider(), shadow: nil))
        return HistoryFailure(failure, done: [], left: [left], of: command, isRedo: false).error { _ in "cloud:" }
    }

    private static let state = "nothing is undone yet: 'ferry undo 0198f0e2' goes on from there"

    @Test("shows the advice of the error itself before the state, and keeps the error")
    func advice() throws {
        let advised = URLError(
            .cannotConnectToHost,
            userInfo: [
                NSLocalizedFailureReasonErrorKey: "is down", NSLocalizedRecoverySuggestionErrorKey: "start it",
            ]
        )
        let error = try shown(advised)
        #expect(ErrorLine(error).text == "ferry: cloud:/a: is down, start it, \(Self.state)")
        #expect((error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? URLError == advised)
    }

    @Test("shows how to log in where the login was refused, and only the state where there is no advice")
    func login() throws {
        let refused = URLError(
            .userAuthenticationRequired,
            userInfo: [NSLocalizedFailureReasonErrorKey: "the login was refused"]
        )
        let login = "log in with 'ferry remote login cloud'"
        #expect(ErrorLine(try shown(refused)).text == "ferry: cloud:/a: the login was refused, \(login), \(Self.state)")
        let cut = URLError(.timedOut, userInfo: [NSLocalizedFailureReasonErrorKey: "does not answer"])
        #expect(ErrorLine(try shown(cut)).text == "ferry: cloud:/a: does not answer, \(Self.state)")
    }
}
