import FerryCore
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What is done in a folder")
struct FolderPlannerTests {
    private func file(_ name: String, _ size: Int64, at time: Double = 100, sum: String? = nil) -> FileObject {
        var item = FileObject(name: name, in: "/x", type: .file, size: size)
        item.modifiedDate = Date(timeIntervalSince1970: time)
        if let sum { item.extras[.checksums] = [.sha1: sum] }
        return item
    }

    private func folder(_ name: String) -> FileObject { FileObject(name: name, in: "/x", type: .directory) }

    private func decide(
        _ source: [FileObject],
        _ target: [FileObject],
        _ change: (inout TransferOptions, inout FileProviderCapabilities) -> Void = { _, _ in }
    ) -> FolderPlanner.Decision {
        var options = TransferOptions()
        var capabilities = FileProviderCapabilities()
        capabilities.datePrecision = .seconds(1)
        capabilities.setsModifiedDate = true
        var exact = capabilities
        exact.datePrecision = .nanoseconds(1)
        change(&options, &capabilities)
        return FolderPlanner(options, from: exact, to: capabilities)
            .decide(in: TransferFolder(top: "/x", isAtTarget: true), source: source, target: target)
    }

    private func lines(_ actions: [TransferAction]) -> [String] {
        actions.map { "\($0.kind) \($0.path) \($0.reason)" }
    }

    @Test("what is missing is added, what differs is updated, what is the same is left, what is extra stays")
    func copying() {
        let decision = decide(
            [file("a", 1), file("b", 2), file("c", 3), folder("d"), folder("e")],
            [file("b", 2, at: 100.9), file("c", 4), folder("e"), file("f", 1)]
        )
        #expect(
            lines(decision.actions) == [
                "add /a missing", "skip /b same", "update /c size", "makeFolder /d missing",
            ]
        )
        #expect(decision.removals.isEmpty)
        #expect(decision.folders.map(\.path) == ["/d", "/e"])
        #expect(decision.folders.map(\.isAtTarget) == [false, true])
    }

    @Test("sync removes what is extra, but nothing that is left out")
    func syncing() {
        let decision = decide([file("a", 1)], [file("a", 1), file("b", 1), file("b.log", 1), folder("c")]) {
            options,
            _ in
            options.mode = .sync
            options.filter.patterns = TransferFilter.patterns(in: "*.log")
        }
        #expect(lines(decision.removals) == ["remove /b extra", "remove /c extra"])
    }

    @Test("what the source has is never extra, also when it is left out there and not here")
    func leftOutAtSource() {
        let decision = decide([file("a", 100)], [file("a", 1)]) { options, _ in
            options.mode = .sync
            options.filter.maximumSize = 10
        }
        #expect(decision.actions.isEmpty)
        #expect(decision.removals.isEmpty)
    }

    @Test("a folder in a file's place stays when copying, and goes when syncing")
    func otherTypes() {
        #expect(lines(decide([file("a", 1)], [folder("a")]).actions) == ["refuse /a otherType"])
        let decision = decide([file("a", 1), folder("b")], [folder("a"), file("b", 1)]) { options, _ in
            options.mode = .sync
        }
        #expect(lines(decision.removals) == ["remove /a otherType", "remove /b otherType"])
        #expect(lines(decision.replacements.map(\.action)) == ["add /a otherType", "makeFolder /b otherType"])
        #expect(decision.replacements.map { $0.folder?.path } == [nil, "/b"])
        #expect(decision.folders.isEmpty)
    }

    @Test("names that the target can't tell apart are told, and none overwrites the other")
    func clashes() {
        let decision = decide([file("a", 1), file("A", 2)], []) { _, target in target.isCaseSensitive = false }
        #expect(lines(decision.actions) == ["add /a missing", "refuse /A nameClash"])
        let forms = decide([file("\u{E9}", 1), file("e\u{301}", 2)], []) { _, target in
            target.distinguishesNormalizationForms = false
        }
        #expect(lines(forms.actions).map { $0.prefix(6) } == ["add /\u{E9}", "refuse"])
        #expect(decide([file("\u{E9}", 1), file("e\u{301}", 2)], []).actions.count == 2)
    }

    @Test("a name that is left out clashes, too, where the target has it, and with whatever is moved")
    func leftOutClashes() {
        func plan(_ source: [FileObject], _ target: [FileObject], _ mode: TransferOptions.Mode) -> [String] {
            let decision = decide(source, target) { options, target in
                options.mode = mode
                options.filter.patterns = TransferFilter.patterns(in: "a")
                target.isCaseSensitive = false
            }
            return lines(decision.actions + decision.removals)
        }
        let (twin, meant) = (file("a", 1), file("A", 2))
        for order in [[twin, meant], [meant, twin]] {
            for mode in TransferOptions.Mode.allCases {
                #expect(plan(order, [file("a", 1)], mode) == ["refuse /A nameClash"])
            }
            // A filter that leaves out one of the two tells them apart.
            #expect(plan(order, [], .copy) == ["add /A missing"])
            #expect(plan(order, [file("A", 2)], .sync) == ["skip /A same"])
            #expect(plan(order, [], .move) == ["refuse /A nameClash"])
        }
    }

    @Test("of names that clash the one stays that the target has, in whatever order they are listed")
    func stableClashes() {
        for order in [[file("a", 1), file("A", 2)], [file("A", 2), file("a", 1)]] {
            for mode in [TransferOptions.Mode.copy, .sync] {
                let decision = decide(order, [file("A", 2)]) { options, target in
                    options.mode = mode
                    target.isCaseSensitive = false
                }
                #expect(Set(lines(decision.actions)) == ["skip /A same", "refuse /a nameClash"])
                #expect(decision.removals.isEmpty)
            }
        }
    }

    @Test("files are the same by checksum, else by size and date within the coarser precision")
    func sameness() {
        func reason(_ first: FileObject, _ second: FileObject, _ rule: ComparisonRule, keeps: Bool = true) -> String {
            let decision = decide([first], [second]) { options, target in
                options.comparison = rule
                target.setsModifiedDate = keeps
            }
            return lines(decision.actions).first ?? ""
        }
        #expect(reason(file("a", 1, at: 5, sum: "aa"), file("a", 1, at: 9, sum: "AA"), .standard) == "skip /a same")
        #expect(
            reason(file("a", 1, at: 5, sum: "aa"), file("a", 1, at: 5, sum: "bb"), .standard) == "update /a checksum"
        )
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 5.9), .standard) == "skip /a same")
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 7), .standard) == "update /a date")
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 7), .size) == "skip /a same")
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 5), .checksum) == "update /a unknown")
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 5), .nothing) == "update /a unknown")
        // The target's date is that of the copying.
        #expect(reason(file("a", 1, at: 5), file("a", 1, at: 70), .standard, keeps: false) == "skip /a same")
        #expect(reason(file("a", 1, at: 70), file("a", 1, at: 5), .standard, keeps: false) == "update /a date")
    }

    @Test("a date as a coarse disk keeps it is the same, at a storage that can't know of its disks")
    func coarseDates() {
        func reason(_ first: Double, _ second: Double, precision: Duration = .microseconds(1)) -> String {
            let decision = decide([file("a", 1, at: first)], [file("a", 1, at: second)]) { options, target in
                target.datePrecision = precision
            }
            return lines(decision.actions).first ?? ""
        }
        // FAT, HFS+ and exFAT.
        for (kept, exact) in [(4, 5.9), (4, 4.5), (5, 5.999), (5.25, 5.259)] {
            #expect(reason(exact, kept) == "skip /a same", "\(exact) \(kept)")
        }
        for (other, exact) in [(5, 6.5), (6, 5.9), (5.5, 5.9), (4, 6), (5.255, 5.259)] {
            #expect(reason(exact, other) == "update /a date", "\(exact) \(other)")
        }
        #expect(reason(5.9, 4, precision: .seconds(1)) == "update /a date")
    }

    @Test("a pipe that both have stays, one that the target lacks is copied where pipes can be, and none is moved")
    func specials() {
        func pipe(_ time: Double) -> FileObject {
            var item = FileObject(name: "p", in: "/x", type: .other)
            item.modifiedDate = Date(timeIntervalSince1970: time)
            return item
        }
        #expect(lines(decide([pipe(5)], [pipe(5)]).actions) == ["skip /p same"])
        #expect(lines(decide([pipe(5)], [pipe(8)]).actions) == ["skip /p same"])
        #expect(lines(decide([pipe(5)], []).actions) == ["refuse /p special"])
        var exact = FileProviderCapabilities()
        exact.datePrecision = .nanoseconds(1)
        let planner = FolderPlanner(TransferOptions(), from: exact, to: exact, copiesSpecialItems: true)
        let folder = TransferFolder(top: "/x", isAtTarget: true)
        #expect(lines(planner.decide(in: folder, source: [pipe(5)], target: []).actions) == ["add /p missing"])
        let moved = decide([pipe(5)], [pipe(5)]) { options, _ in options.mode = .move }
        #expect(lines(moved.actions) == ["refuse /p special"])
    }

    @Test("what is newer at the target stays, if that is wanted")
    func newer() {
        let decision = decide([file("a", 1, at: 5), file("b", 1, at: 9)], [file("a", 2, at: 9), file("b", 2, at: 5)]) {
            options,
            _ in options.keepsNewer = true
        }
        #expect(lines(decision.actions) == ["skip /a newer", "update /b size"])
    }

    @Test("nothing is removed when a folder was not listed, or when it would be too much")
    func judging() {
        var judge = RemovalJudge(largestPart: 0.5)
        judge.found = 4
        judge.add(TransferAction(.remove, "/a", .extra), count: 2)
        #expect(judge.verdict.map(\.kind) == [.remove])
        judge.add(TransferAction(.remove, "/b", .extra), count: 1)
        #expect(judge.verdict.map(\.kind) == [.refuse, .skip, .skip])
        #expect(judge.verdict.map(\.reason) == [.tooMany, .tooMany, .tooMany])
        #expect(judge.verdict.first?.note == "3 of 4 items would be removed, and 50 % of them may be")
        var counting = RemovalJudge(largestPart: 0, largestCount: 3)
        counting.found = 4
        counting.add(TransferAction(.remove, "/a", .extra), count: 3)
        #expect(counting.verdict.map(\.kind) == [.remove])
        counting.add(TransferAction(.remove, "/b", .extra), count: 1)
        #expect(counting.verdict.map(\.reason) == [.tooMany, .tooMany, .tooMany])
        #expect(counting.verdict.first?.note == "4 of 4 items would be removed, and 3 may be")
        var incomplete = RemovalJudge(largestPart: 1)
        incomplete.found = 4
        incomplete.add(TransferAction(.remove, "/a", .extra), count: 1)
        incomplete.isIncomplete = true
        #expect(incomplete.verdict.map(\.reason) == [.incomplete])
        #expect(incomplete.verdict.map(\.kind) == [.skip])
    }

    @Test("only a file that can't be mistaken is taken for renamed")
    func renames() {
        func plan(
            _ added: [FileObject],
            _ removed: [FileObject],
            keepsDates: Bool = true,
            isCertain: Bool = true
        ) -> [String] {
            var actions = added.map { TransferAction(.add, $0.path, .missing, source: $0) }
            var removals = removed.map { TransferAction(.remove, $0.path, .extra, target: $0) }
            var capabilities = FileProviderCapabilities()
            capabilities.datePrecision = .microseconds(1)
            capabilities.setsModifiedDate = keepsDates
            let comparison = FileComparison(.standard, from: capabilities, to: capabilities)
            let matches = RenameFinder.matches(actions, removals, comparison).filter { $0.isCertain == isCertain }
            RenameFinder.apply(matches, &actions, &removals)
            return lines(actions + removals)
        }
        func file(_ path: ItemPath, _ size: Int64, at time: Double = 100, sum: String? = nil) -> FileObject {
            var item = FileObject(path: path, type: .file)
            item.size = size
            item.modifiedDate = Date(timeIntervalSince1970: time)
            if let sum { item.extras[.checksums] = [.sha1: sum] }
            return item
        }
        // A checksum says it, whatever the name.
        #expect(plan([file("/b", 5, sum: "x")], [file("/a", 5, sum: "X")]) == ["rename /b missing"])
        #expect(plan([file("/d/a", 5, sum: "x")], [file("/a", 5, sum: "y")]).first == "add /d/a missing")
        // Else the name, the size and the exact date say it together.
        #expect(plan([file("/d/a", 5)], [file("/a", 5)]) == ["rename /d/a missing"])
        #expect(plan([file("/d/a", 5, sum: "x")], [file("/a", 5)]) == ["rename /d/a missing"])
        #expect(plan([file("/b", 5)], [file("/a", 5)]) == ["add /b missing", "remove /a extra"])
        #expect(plan([file("/b", 5)], [file("/a", 5)], isCertain: false) == ["rename /b missing"], "if it is read")
        #expect(plan([file("/d/a", 5)], [file("/a", 5, at: 100.5)]).first == "add /d/a missing")
        #expect(plan([file("/d/a", 5)], [file("/a", 6)]).first == "add /d/a missing")
        #expect(plan([file("/d/a", 5)], [file("/a", 5)], keepsDates: false).first == "add /d/a missing")
        #expect(plan([file("/d/a", 0)], [file("/a", 0)]).first == "add /d/a missing")
        // Nobody knows which of two it is.
        #expect(!plan([file("/d/a", 5), file("/e/a", 5)], [file("/a", 5)]).contains { $0.hasPrefix("rename") })
        #expect(!plan([file("/d/a", 5)], [file("/a", 5), file("/b/a", 5)]).contains { $0.hasPrefix("rename") })
        let both = [file("/d/a", 5), file("/e/a", 5, at: 7)]
        #expect(plan(both, [file("/a", 5), file("/b/a", 5, at: 7)]) == ["rename /d/a missing", "rename /e/a missing"])
    }

    @Test("what is under way grows while it goes well, and halves when it is too much")
    func adapting() {
        var limit = AdaptiveLimit(most: 16)
        #expect(limit.limit == 4)
        for _ in 0..<4 { limit.succeeded() }
        #expect(limit.limit == 8, "a round that goes well doubles it")
        for _ in 0..<500 { limit.succeeded() }
        #expect(limit.limit == 16)
        limit.overloaded(running: 15)
        #expect(limit.limit == 8)
        for _ in 0..<15 { limit.overloaded(running: 8) }
        #expect(limit.limit == 8, "they were asked before it was known")
        limit.overloaded(running: 8)
        #expect(limit.limit == 4)
        for _ in 0..<12 { limit.succeeded() }
        #expect(limit.limit == 6, "once it was too much, a round adds one")
        for _ in 0..<2 { limit.overloaded(running: 0) }
        for _ in 0..<100 { limit.overloaded(running: 0) }
        #expect(limit.limit == 1)
    }
}
