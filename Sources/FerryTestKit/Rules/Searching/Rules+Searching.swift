import FerryCore
import Foundation
import Synchronization

extension ConformanceCheck {
    /// Predicates of one kind; together forty.
    private static let predicates: [(slug: String, words: String, formats: [String])] = [
        (
            "names", "by name",
            [
                "name == 'report.txt'", "name != 'report.txt'", "name BEGINSWITH 'rep'", "name BEGINSWITH[c] 'REP'",
                "name ENDSWITH '.txt'", "name CONTAINS 'port'", "name CONTAINS[c] 'PORT'", "name CONTAINS[cd] 'RESUME'",
                "name LIKE '*.t?t'", "name LIKE[c] 'REPORT*'", "name MATCHES '[a-z]+\\\\.txt'",
                "name IN {'report.txt', 'gone', 'inner'}", "pathExtension == 'txt'", "pathExtension ==[c] 'TXT'",
                "name == 'it\\'s 50% \"so\".txt'", "name BEGINSWITH '.'",
            ]
        ),
        (
            "sizes", "by size",
            [
                "fileSize > 10", "fileSize >= 11", "fileSize < 10", "fileSize == 0", "fileSize BETWEEN {1, 11}",
                "fileSize > 10000000", "NOT fileSize > 10", "fileSize IN {0, 11}",
            ]
        ),
        (
            "kinds", "by kind",
            [
                "isDirectory == TRUE", "isDirectory == FALSE", "type == 'file'", "type != 'directory'",
                "isRegularFile == TRUE AND name ENDSWITH 't'", "isHidden == TRUE",
            ]
        ),
        (
            "dates", "by date",
            [
                "modifiedDate > '2001-01-01'", "modifiedDate < '2001-01-01T00:00:00Z'", "creationDate > '2001-01-01'",
                "modifiedDate BETWEEN {'2001-01-01', '2101-01-01'}",
            ]
        ),
        (
            "logic", "by several things at once",
            [
                "TRUEPREDICATE", "FALSEPREDICATE", "name CONTAINS 'r' AND fileSize > 10",
                "name == 'report.txt' OR isDirectory == TRUE", "NOT (name BEGINSWITH 'r' OR name BEGINSWITH 'i')",
                "(isDirectory == TRUE AND name == 'inner') OR (fileSize < 5 AND NOT name ENDSWITH 'x')",
            ]
        ),
    ]

    /// How many predicates the rules about searching try.
    static var predicateCount: Int { predicates.map(\.formats.count).reduce(0, +) }

    /// A search finds what a listing would show, filtered.
    static let searching: [ConformanceCheck] =
        predicates.map { group in
            Self(
                ID(rawValue: "searching.\(group.slug)"),
                "a search \(group.words) finds exactly what the query matches in a listing, flat and recursive"
            ) { trial in
                try await trial.plantForSearch()
                for format in group.formats {
                    try await trial.expectSearch(try FileQuery(format: format))
                }
            }
        } + [
            Self("searching.lists", "listing a folder equals searching it, flat, for everything") { trial in
                try await trial.plantForSearch()
                let listed = try await trial.provider.contentsOfDirectory(path: trial.root)
                let found = try await trial.search("/", recursive: false, .all)
                trial.expectEqual(Set(found.map(\.path)), Set(listed.map(\.path)), "paths")
                trial.expectEqual(found.count, listed.count, "items")
            },
            Self("searching.not-itself", "the folder that is searched is not among what is found") { trial in
                try await trial.plant(["folder/folder/a.txt": "a"])
                let found = try await trial.search("folder", recursive: true, .all).map(\.path)
                trial.expectEqual(Set(found), [trial["folder/folder"], trial["folder/folder/a.txt"]], "paths")
            },
            Self("searching.elsewhere", "a search stays below its folder") { trial in
                try await trial.plant(["one/a.txt": "a", "one2/a.txt": "a", "a.txt": "a"])
                let found = try await trial.search("one", recursive: true, try FileQuery(format: "name == 'a.txt'"))
                trial.expectEqual(found.map(\.path), [trial["one/a.txt"]], "paths")
            },
            Self("searching.empty", "a search in an empty folder finds nothing", needs: [.emptyFolders]) { trial in
                try await trial.plant(["empty/": ""])
                for recursive in [false, true] {
                    let found = try await trial.search("empty", recursive: recursive, .all)
                    trial.expectEqual(found, [], "items")
                }
            },
            Self("searching.plain-text", "a search by plain text finds names that begin with it, in any case") {
                trial in
                try await trial.plantForSearch()
                for text in ["rep", "REP", "'; DROP", "%", "", "inner"] {
                    let all = try await trial.search("/", recursive: true, .all)
                    let expected = all.filter { $0.name.lowercased().hasPrefix(text.lowercased()) }
                    var found: [ItemPath] = []
                    for try await item in trial.provider.searchFiles(path: trial.root, recursive: true, query: text) {
                        found.append(item.path)
                    }
                    trial.expectEqual(Set(found), Set(expected.map(\.path)), "paths for \(text.debugDescription)")
                }
            },
            Self("searching.handler", "the handler of a search gets each item once, in the order of the result") {
                trial in
                try await trial.plantForSearch()
                let told = Mutex<[ItemPath]>([])
                let found = try await trial.provider.searchFiles(
                    path: trial.root,
                    recursive: true,
                    query: .all,
                    foundItemHandler: { item in told.withLock { $0.append(item.path) } }
                )
                trial.expectEqual(told.withLock { $0 }, found.map(\.path), "paths")
            },
            Self("searching.plan", "the two parts of a search plan together mean the query") { trial in
                try await trial.plantForSearch()
                let all = try await trial.search("/", recursive: true, .all)
                for format in predicates.flatMap(\.formats) {
                    let query = try FileQuery(format: format)
                    let plan = trial.provider.searchPlan(for: query)
                    for item in all {
                        let both = plan.server.matches(item) && plan.ferry.matches(item)
                        trial.expectEqual(both, query.matches(item), "\(format) for '\(item.name)', planned")
                    }
                }
            },
            Self("searching.leaving-early", "a search that is left early does no harm") { trial in
                try await trial.plantForSearch()
                for try await _ in trial.provider.searchFiles(path: trial.root, recursive: true, query: .all) { break }
                let found = try await trial.search("/", recursive: true, .all)
                trial.expectEqual(found.count, Trial.searchItems.count + 2, "items")
            },
        ]
}

extension Trial {
    /// Nine files, and two folders that need not be named.
    fileprivate static let searchItems: KeyValuePairs<String, String> = [
        "report.txt": "eleven byte", "REPORT.TXT.bak": "x", "empty": "", ".hidden": "hidden",
        "it's 50% \"so\".txt": "quotes", "inner/report.txt": "a longer report", "inner/Résumé.pdf": "pdf",
        "inner/deep/a.t?t": "t", "inner/deep/notes": "some notes of more than ten bytes",
    ]

    fileprivate func plantForSearch() async throws {
        let forbidden = provider.capabilities.forbiddenCharacters
        for (path, text) in Self.searchItems {
            // A name that can't be there can't be found either.
            let name = path.unicodeScalars.map { forbidden.unicodeScalars.contains($0) ? "_" : String($0) }.joined()
            try await plant(forbidden.contains("/") ? path : name, Data(text.utf8))
        }
    }

    fileprivate func expectSearch(
        _ query: FileQuery,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        for recursive in [false, true] {
            var expected: Set<ItemPath> = []
            for try await element in TreeWalk(provider, path: root, recursive: recursive) {
                switch element {
                case .page(let items, _): expected.formUnion(items.filter(query.matches).map(\.path))
                case .failure(let error, _): throw error
                }
            }
            let found = try await search("/", recursive: recursive, query).map(\.path)
            expectEqual(
                found.sorted(),
                expected.sorted(),
                "\(query), recursive: \(recursive)",
                filePath: filePath,
                line: line
            )
        }
    }
}
