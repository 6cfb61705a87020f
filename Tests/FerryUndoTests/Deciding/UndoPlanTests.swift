import FerryCore
import FerryUndo
import Foundation
import Testing

@Suite("What takes an operation back is decided from what is known before it")
struct UndoPlanTests {
    private static let all = UndoAbilities(ways: UndoWay.allCases)
    private static let none = UndoAbilities(ways: [])
    private static let local = FileLocation.localFile(URL(filePath: "/tmp/x"))

    struct Case: Sendable, CustomTestStringConvertible {
        var operation: FileOperationType
        var target: UndoPlan.Target
        var abilities: UndoAbilities = UndoPlanTests.all
        var inverse: [UndoPlan.Inverse]
        var ways: [UndoWay] = []
        var isPossible = true

        var testDescription: String { "\(operation) onto \(target), \(abilities.ways.map(\.rawValue))" }
    }

    static let cases: [Case] = [
        // A new item is taken away, and needs nothing to be kept.
        Case(operation: .create(path: "/a"), target: .nothing, inverse: [.takeAway("/a")]),
        Case(operation: .create(path: "/a"), target: .nothing, abilities: none, inverse: [.takeAway("/a")]),
        Case(operation: .modify(path: "/a"), target: .nothing, abilities: none, inverse: [.takeAway("/a")]),
        Case(operation: .link(path: "/a", target: "b"), target: .nothing, abilities: none, inverse: [.takeAway("/a")]),
        Case(
            operation: .copy(source: "/a", destination: "/b"),
            target: .nothing,
            abilities: none,
            inverse: [.takeAway("/b")]
        ),
        Case(
            operation: .copy(source: local, destination: "/b"),
            target: .nothing,
            abilities: none,
            inverse: [.takeAway("/b")]
        ),
        Case(
            operation: .move(source: "/a", destination: "/b"),
            target: .nothing,
            abilities: none,
            inverse: [.moveBack(from: "/b", to: "/a")]
        ),
        // Reading changes nothing.
        Case(operation: .fetch(path: "/a"), target: .file, abilities: none, inverse: [.none]),
        Case(operation: .copy(source: "/a", destination: local), target: .file, abilities: none, inverse: [.none]),
        // Replaced content becomes a version, or is set aside, or copied; a trash is for items that are removed.
        Case(
            operation: .modify(path: "/a"),
            target: .file,
            inverse: [.restore("/a")],
            ways: [.version, .aside, .shadow]
        ),
        Case(
            operation: .create(path: "/a"),
            target: .file,
            abilities: UndoAbilities(ways: [.trash, .shadow]),
            inverse: [.restore("/a")],
            ways: [.shadow]
        ),
        Case(
            operation: .modify(path: "/a"),
            target: .file,
            abilities: UndoAbilities(ways: [.trash]),
            inverse: [.restore("/a")],
            isPossible: false
        ),
        Case(
            operation: .copy(source: "/a", destination: "/b"),
            target: .file,
            inverse: [.restore("/b")],
            ways: [.version, .aside, .shadow]
        ),
        Case(
            operation: .copy(source: local, destination: "/b"),
            target: .file,
            abilities: none,
            inverse: [.restore("/b")],
            isPossible: false
        ),
        Case(
            operation: .move(source: "/a", destination: "/b"),
            target: .file,
            inverse: [.moveBack(from: "/b", to: "/a"), .bringBack("/b")],
            ways: [.version, .aside, .shadow]
        ),
        Case(
            operation: .move(source: "/a", destination: "/b"),
            target: .folder,
            abilities: none,
            inverse: [.moveBack(from: "/b", to: "/a"), .bringBack("/b")],
            isPossible: false
        ),
        // A link is a text, which is noted.
        Case(
            operation: .copy(source: "/a", destination: "/b"),
            target: .link,
            abilities: none,
            inverse: [.restore("/b")]
        ),
        Case(operation: .remove(path: "/a"), target: .link, abilities: none, inverse: [.bringBack("/a")]),
        // Removed items go to the trash, or are set aside, or copied; versions go with their file.
        Case(
            operation: .remove(path: "/a"),
            target: .file,
            inverse: [.bringBack("/a")],
            ways: [.trash, .aside, .shadow]
        ),
        Case(
            operation: .remove(path: "/a"),
            target: .folder,
            abilities: UndoAbilities(ways: [.shadow]),
            inverse: [.bringBack("/a")],
            ways: [.shadow]
        ),
        Case(
            operation: .remove(path: "/a"),
            target: .file,
            abilities: UndoAbilities(ways: [.version]),
            inverse: [.bringBack("/a")],
            isPossible: false
        ),
        Case(
            operation: .remove(path: "/a"),
            target: .folder,
            abilities: none,
            inverse: [.bringBack("/a")],
            isPossible: false
        ),
        // A link never replaces anything.
        Case(operation: .link(path: "/a", target: "b"), target: .file, inverse: [], isPossible: false),
    ]

    @Test("each of them", arguments: cases)
    func decides(_ row: Case) {
        let plan = UndoPlan(row.operation, onto: row.target, abilities: row.abilities)
        #expect(plan.inverse == row.inverse)
        #expect(plan.ways == row.ways)
        #expect(plan.isPossible == row.isPossible)
    }

    @Test("nothing on a storage that can't be changed", arguments: UndoPlan.Target.allCases)
    func readOnly(target: UndoPlan.Target) {
        let abilities = UndoAbilities(ways: UndoWay.allCases, isReadOnly: true)
        for operation: FileOperationType in [
            .create(path: "/a"), .modify(path: "/a"), .remove(path: "/a"), .link(path: "/a", target: "b"),
            .move(source: "/a", destination: "/b"), .copy(source: "/a", destination: "/b"),
        ] {
            #expect(!UndoPlan(operation, onto: target, abilities: abilities).isPossible)
        }
    }

    @Test("every set of ways: an overwrite needs one of three, a removal one of three others, the rest none")
    func everySet() {
        for bits in 0..<16 {
            let ways = UndoWay.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            let abilities = UndoAbilities(ways: ways)
            let overwrites = ways.contains { $0 != .trash }
            let removes = ways.contains { $0 != .version }
            #expect(UndoPlan.canUndo(.modify(path: "/a"), abilities: abilities) == overwrites)
            #expect(UndoPlan.canUndo(.remove(path: "/a"), abilities: abilities) == removes)
            #expect(UndoPlan.canUndo(.create(path: "/a"), abilities: abilities))
            #expect(UndoPlan.canUndo(.copy(source: "/a", destination: "/b"), abilities: abilities))
            #expect(UndoPlan.canUndo(.move(source: "/a", destination: "/b"), abilities: abilities))
            #expect(UndoPlan.canUndo(.link(path: "/a", target: "b"), abilities: abilities))
            #expect(UndoPlan.canUndo(.fetch(path: "/a"), abilities: abilities))
        }
    }
}
