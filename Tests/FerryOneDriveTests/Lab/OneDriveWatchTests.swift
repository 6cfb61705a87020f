import FerryCloudLab
import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Watches of a drive")
struct OneDriveWatchTests {
    @Test("a watch tells what happens below its folder, and ends with it")
    func watching() async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/a.txt")
            try storage.write(Data("a".utf8), to: "/Elsewhere/a.txt")
            try await provider.listAll()
            let changes = try await provider.changes(under: "/Folder")
            try storage.write(Data("b".utf8), to: "/Elsewhere/b.txt")
            try storage.move(from: "/Elsewhere/a.txt", to: "/Folder/c.txt")
            try storage.move(from: "/Folder/a.txt", to: "/Folder/d.txt")
            var told: [FileChange] = []
            for try await change in changes {
                told.append(change)
                if told.count == 2 { break }
            }
            #expect(
                Set(told) == [
                    FileChange(.created, path: "/Folder/c.txt"),
                    FileChange(.moved(from: "/Folder/a.txt"), path: "/Folder/d.txt"),
                ]
            )
            let last = try await provider.changes(under: "/Folder")
            try storage.remove(at: "/Folder")
            told = []
            for try await change in last { told.append(change) }
            #expect(told == [FileChange(.removed, path: "/Folder")])
        }
    }

    @Test("a watch tells of what goes that was never listed before")
    func unseen() async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            let storage = lab.graph.account.storage
            for name in ["a", "b"] { try storage.write(Data(name.utf8), to: "/Folder/In/\(name).txt") }
            let changes = try await provider.changes(under: "/Folder")
            try storage.remove(at: "/Folder/In/a.txt")
            try storage.move(from: "/Folder/In/b.txt", to: "/b.txt")
            var told: Set<FileChange> = []
            for try await change in changes {
                told.insert(change)
                if told.count == 2 { break }
            }
            #expect(told.map(\.kind) == [.removed, .removed])
            #expect(Set(told.map(\.path)) == ["/Folder/In/a.txt", "/Folder/In/b.txt"])
        }
    }

    @Test("a folder that can't be listed keeps no watch from beginning")
    func forbiddenFolder() async throws {
        try await withDrive({ $0.graph.driveType = .business }, clock: InstantClock()) { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/In/a.txt")
            let body = #"{"error":{"code":"accessDenied","message":"not for you"}}"#
            let refusal = Fault.answer(status: 403, contentType: "application/json", body: body)
            lab.faults.add(refusal, route: "children", skipping: 1)
            let changes = try await provider.changes(under: "/Folder")
            #expect(lab.journal.exchanges(route: "children").map(\.status) == [200, 403])
            try storage.write(Data("b".utf8), to: "/Folder/b.txt")
            var iterator = changes.makeAsyncIterator()
            #expect(try await iterator.next() == FileChange(.created, path: "/Folder/b.txt"))
        }
    }

    @Test("a watch whose folder went while the list of changes began anew ends, and tells so")
    func goneMeanwhile() async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/a.txt")
            let changes = try await provider.changes(under: "/Folder")
            try storage.remove(at: "/Folder")
            lab.graph.resetCursors()
            var told: [FileChange] = []
            for try await change in changes { told.append(change) }
            #expect(told.last == FileChange(.removed, path: "/Folder"))
        }
    }

    @Test("a watch outlasts throttling and a list of changes that begins anew")
    func badDays() async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            let changes = try await provider.changes(under: .root)
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(2)), route: "delta")
            lab.faults.add(.serverError(status: 503, retryAfter: .zero), route: "delta", skipping: 1)
            lab.graph.resetCursors()
            var told: [FileChange] = []
            for try await change in changes {
                told.append(change)
                if change.kind == .rescan { try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt") }
                if change == FileChange(.created, path: "/a.txt") { break }
            }
            #expect(told.first == FileChange(.rescan, path: .root))
            #expect(lab.faults.isEmpty)
        }
    }

    @Test("a folder behind a shortcut is watched by looking at it")
    func shortcut() async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            try other.storage.write(Data("a".utf8), to: "/Shared/a.txt")
            try lab.graph.addShortcut(to: "/Shared", of: other, at: "/Theirs", in: lab.graph.account)
            let changes = try await provider.changes(under: "/Theirs")
            try other.storage.write(Data("b".utf8), to: "/Shared/b.txt")
            for try await change in changes {
                #expect(change == FileChange(.created, path: "/Theirs/b.txt"))
                break
            }
        }
    }
}
