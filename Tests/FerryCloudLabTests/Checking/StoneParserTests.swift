import Testing

@testable import FerryCloudLab

@Suite("Descriptions in the Stone language")
struct StoneParserTests {
    @Test("operations have a path with their version, attributes, and three types")
    func routes() throws {
        let description = try ShelfDescription.make()
        #expect(
            Set(description.routes.keys) == [
                "shelf/find", "shelf/find_v2", "shelf/add", "shelf/fetch", "shelf/wait", "shelf/job/check",
            ]
        )
        let find = try #require(description.routes["shelf/find"])
        #expect((find.host, find.style, find.credentials) == ("api", "rpc", ["user"]))
        #expect(find.argument == .reference("shelf.FindArg") && !find.isDeprecated)
        #expect(description.routes["shelf/find_v2"]?.isDeprecated == true)
        let wait = try #require(description.routes["shelf/wait"])
        #expect((wait.host, wait.result, wait.credentials) == ("notify", .void, ["noauth"]))
    }

    @Test("a structure has the fields of the one that it extends, and those of patches")
    func structures() throws {
        let description = try ShelfDescription.make()
        let book = try #require(description.structures["shelf.Book"])
        #expect(
            book.fields.map(\.name) == [
                "name", "note", "pages", "size", "bought", "weight", "cover", "is_lent", "internal_mark",
            ]
        )
        #expect(book.fields.filter(\.hasDefault).map(\.name) == ["is_lent"])
        #expect(book.fields.first { $0.name == "pages" }?.type == .integer(minimum: 0, maximum: 5000))
        #expect(book.subtypes == nil)
        let thing = try #require(description.structures["shelf.Thing"])
        #expect(thing.subtypes == ["book": "shelf.Book", "disc": "shelf.Disc"] && thing.isOpen)
        #expect(description.structures["shelf.Person"]?.fields.map(\.name) == ["name", "age", "example", "town"])
    }

    @Test("a union has the tags of the one that it extends, and may be defined where it is used")
    func unions() throws {
        let description = try ShelfDescription.make()
        #expect(description.unions["shelf.Job"]?.members.keys.sorted() == ["complete", "job_id"])
        #expect(description.unions["shelf.Job"]?.isOpen == false)
        let place = try #require(description.unions["shelf.Place"])
        #expect(place.members.keys.sorted() == ["box", "example", "gone", "lent", "shelf", "spot", "thing"])
        #expect(place.isOpen && place.members["gone"]?.type == .optional(.reference("shelf.Person")))
        #expect(description.unions["shelf.Spot"]?.members.keys.sorted() == ["left", "right"])
        #expect(description.omissions == ["common.Hidden"])
    }

    @Test("an alias stands for its type, through several files")
    func aliases() throws {
        let description = try ShelfDescription.make()
        #expect(description.resolved(.reference("shelf.Code")) == .text(length: 3...5, pattern: "[a-z]+"))
        #expect(
            description.resolved(.reference("shelf.Codes")) == .list(.reference("shelf.Code"), count: 1...2)
        )
    }

    @Test(
        "a description that can't be right is refused, with the file and the line",
        arguments: [
            ("namespace a\nstruct A\n    b C\n", 3, "'a.C' isn't defined."),
            ("namespace a\nstruct A\n    b x.C\n", 3, "'x' isn't imported."),
            ("namespace a\nstruct A\n    b String\nunion A\n    c\n", 6, "'A' is defined twice."),
            ("namespace a\nstruct A extends A\n    b String\n", 2, "'a.A' extends itself."),
            ("namespace a\nalias A = B\nalias B = A\n", 3, "'a.A' is an alias of itself."),
            ("namespace a\nstruct A extends B\n    b String\nunion B\n    c\n", 2, "'a.B' isn't a structure"),
            ("namespace a\nalias A = Timestamp(\"%j\")\n", 2, "The format '%j' isn't known."),
            ("namespace a\nalias A = UInt64(min_value=x)\n", 2, "'min_value' isn't a number that fits."),
            ("namespace a\nalias A = String(min_length=2, max_length=1)\n", 2, "The bounds are the wrong way round."),
            ("namespace a\nalias A = String(pattern=\"(\")\n", 0, "is no regular expression."),
            ("namespace a\nalias A = List\n", 2, "A list has one type."),
            ("namespace a\nstruct A\n    b String\n  c String\n", 4, "The indentation fits no block."),
            ("namespace a\nstruct A\n\tb String\n", 3, "Tabs can't indent."),
            ("namespace a\nalias A = \"b\n", 3, "A text doesn't end."),
            ("namespace a\nclass A\n", 2, "'class' begins no definition."),
            ("namespace a\npatch struct A\n    b String\n", 2, "There is no 'a.A' to patch."),
            ("struct A\n    b String\n", 1, "'namespace' is missing."),
            ("namespace a\nroute b (Void, Void)\n", 2, "A ',' is missing."),
            ("namespace a\nalias A = String; \n", 2, "A ';' can't stand here."),
        ]
    )
    func failures(text: String, line: Int, sentence: String) {
        let error = #expect(throws: DescriptionError.self) {
            try StoneDescription([StoneParser.parse(text.utf8, file: "a.stone")])
        }
        #expect(error?.sentence.contains(sentence) == true, "\(String(describing: error))")
        if line > 0 { #expect(error?.line == line, "\(String(describing: error))") }
    }

    @Test(
        "a date has the format, and exists in the calendar",
        arguments: [
            ("2024-02-29", true), ("2023-02-29", false), ("2024-13-01", false), ("2024-1-01", false),
            ("2024-01-01 ", false), ("2024-01-32", false), ("1900-02-29", false), ("2000-02-29", true), ("", false),
        ]
    )
    func dates(text: String, isGood: Bool) {
        #expect(StoneTimestamp.matches(text, format: "%Y-%m-%d") == isGood)
    }
}
