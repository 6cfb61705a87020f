import FerryCore
import FerryTestKit
import Foundation
import Testing

@Suite("Items are sorted")
struct FileObjectSortingTests {
    private func files(_ names: [String]) -> [FileObject] {
        names.map { FileObject(name: $0, in: "/", type: $0.hasSuffix("/") ? .directory : .file) }
    }

    @Test(
        "by name in the order of the key",
        arguments: [
            (.name, ["a.txt", "a1", "a2", "A10", "a10b", "a010c", "b", "É", "f"]),
            (.name, ["", ".a", "_", "0", "00", "01", "1", "2", "10", "A", "a", "á", "ab", "é2", "e10", "z"]),
            (.name, ["1.2", "1.10", "1.10.1", "1:", "1a"]),
            (.name, ["file 9007199254740993", "file 9007199254740994", "file 90071992547409930"]),
            (.nameCaseSensitive, ["A10", "B", "a1", "a10", "a2", "é"]),
            (.nameCaseInsensitive, ["a1", "A10", "a2", "B", "c"]),
            (.pathExtension, ["z", "b.A", "c.a", "a.b", "x.tar.gz"]),
        ] as [(FileObjectSorting.Key, [String])]
    )
    func byName(key: FileObjectSorting.Key, names: [String]) {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let shuffled = files(names.shuffled(using: &random))
            // Names that the key takes for the same stand by their bytes: "0" before "00".
            #expect(FileObjectSorting(by: key).sorted(shuffled).map(\.name) == names)
        }
    }

    @Test("with what is unknown last, whichever the direction")
    func unknownLast() {
        var items = files(["a", "b", "c", "d"])
        items[0].size = 2
        items[2].size = 1
        items[0].modifiedDate = Date(timeIntervalSinceReferenceDate: -5)
        items[3].modifiedDate = Date(timeIntervalSinceReferenceDate: 5)
        items[1].creationDate = .distantPast
        func names(_ key: FileObjectSorting.Key, _ ascending: Bool) -> String {
            FileObjectSorting(by: key, ascending: ascending).sorted(items).map(\.name).joined()
        }
        #expect(names(.size, true) == "cabd")
        #expect(names(.size, false) == "acbd")
        #expect(names(.modifiedDate, true) == "adbc")
        #expect(names(.modifiedDate, false) == "dabc")
        #expect(names(.creationDate, true) == "bacd")
        #expect(names(.creationDate, false) == "bacd")
        #expect(names(.name, false) == "dcba")
    }

    @Test("with folders first, whichever the direction")
    func foldersFirst() {
        let items = files(["a", "b/", "c", "d/"])
        let ascending = FileObjectSorting(by: .name, foldersFirst: true)
        #expect(ascending.sorted(items).map(\.name) == ["b/", "d/", "a", "c"])
        let descending = FileObjectSorting(by: .name, ascending: false, foldersFirst: true)
        #expect(descending.sorted(items).map(\.name) == ["d/", "b/", "c", "a"])
    }

    @Test("in a strict order of which there is one only", arguments: FileObjectSorting.Key.allCases)
    func strictOrder(key: FileObjectSorting.Key) throws {
        let pieces = ["a", "A", "b", "1", "01", "10", "9", ".", " ", "é", "e\u{301}", "É", "日", "_", "~", "0"]
        var random = SeededGenerator(seed: 5)
        let items = (0..<300).map { _ in
            let count = Int.random(in: 0...4, using: &random)
            let name = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
            var file = FileObject(name: name, in: Bool.random(using: &random) ? "/" : "/x", type: .file)
            file.size = [nil, 0, 1, 1 << 60, (1 << 60) + 1].randomElement(using: &random) ?? nil
            let time = [nil, -1.5, -0.0, 0, 1e9].randomElement(using: &random) ?? nil
            file.modifiedDate = time.map { Date(timeIntervalSinceReferenceDate: $0) }
            return file
        }
        for ascending in [true, false] {
            let sorting = FileObjectSorting(by: key, ascending: ascending, foldersFirst: true)
            for _ in 0..<2_000 {
                let (a, b, c) = (
                    items[Int.random(in: 0..<300, using: &random)], items[Int.random(in: 0..<300, using: &random)],
                    items[Int.random(in: 0..<300, using: &random)]
                )
                let (ab, bc, ac) = (
                    sorting.areInIncreasingOrder(a, b), sorting.areInIncreasingOrder(b, c),
                    sorting.areInIncreasingOrder(a, c)
                )
                #expect(!ab || !sorting.areInIncreasingOrder(b, a))
                #expect(!(ab && bc) || ac)
                #expect(ab || sorting.areInIncreasingOrder(b, a) || a.path == b.path)
            }
            let sorted = sorting.sorted(items)
            #expect(sorting.sorted(items.shuffled(using: &random)).map(\.path) == sorted.map(\.path))
            for (first, second) in zip(sorted, sorted.dropFirst()) {
                #expect(!sorting.areInIncreasingOrder(second, first))
            }
        }
    }

    @Test("as JSON says")
    func codable() throws {
        let sorting = FileObjectSorting(by: .size, ascending: false, foldersFirst: true)
        #expect(try JSONDecoder().decode(FileObjectSorting.self, from: JSONEncoder().encode(sorting)) == sorting)
    }
}
