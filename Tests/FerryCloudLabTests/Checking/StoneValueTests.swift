import Testing

@testable import FerryCloudLab

@Suite("Values of descriptions in the Stone language")
struct StoneValueTests {
    private func findings(
        _ text: String,
        _ type: String,
        _ side: CloudFinding.Side
    ) throws -> [String] {
        var check = StoneValueCheck(try ShelfDescription.make(), side: side)
        check.check(try JSONParser.parse(text.utf8), .reference("shelf.\(type)"))
        return check.findings.map { "\($0.path) \($0.sentence)" }
    }

    @Test(
        "a value that is as described has no finding",
        arguments: [
            (#"{}"#, "FindArg"),
            (#"{"codes":null,"order":"desc","limit":100,"since":"2024-01-01T00:00:00Z","path":""}"#, "FindArg"),
            (#"{"codes":["abc","abcde"],"order":{".tag":"asc"},"path":"/a\nb"}"#, "FindArg"),
            (#"{"place":"shelf"}"#, "FindArg"),
            (#"{"place":{"box":7}}"#, "FindArg"),
            (#"{"place":{".tag":"box","box":7}}"#, "FindArg"),
            (#"{"place":{".tag":"lent","name":"abc","town":null}}"#, "FindArg"),
            (#"{"place":{".tag":"gone"}}"#, "FindArg"),
            (#"{"place":{".tag":"gone","name":"abc"}}"#, "FindArg"),
            (#"{"place":{".tag":"spot","spot":{".tag":"left"}}}"#, "FindArg"),
            (#"{"place":{".tag":"thing","thing":{".tag":"disc","name":"x"}}}"#, "FindArg"),
            (#"{"tags":{"ab":-9223372036854775808}}"#, "FindArg"),
            (#"{"things":[{".tag":"disc","name":"x","tracks":["0123456789"]}],"has_more":false}"#, "FindResult"),
            (#"{"name":"x","pages":0,"size":18446744073709551615,"bought":"2024-01-01","weight":90.5}"#, "Book"),
            (#"{"name":"x","pages":5000,"size":9007199254740993,"bought":"2024-01-01","cover":"AAE="}"#, "Book"),
            (#"{".tag":"complete"}"#, "Job"),
            (#"{".tag":"job_id","job_id":"1"}"#, "Job"),
        ]
    )
    func good(text: String, type: String) throws {
        #expect(try findings(text, type, .request) == [])
    }

    @Test(
        "a value that isn't as described is found, with its place",
        arguments: [
            (#"[]"#, "FindArg", "$ Expected is an object (shelf.FindArg), not a list."),
            (#"{"codes":[]}"#, "FindArg", "$.codes A list of 0 is not allowed."),
            (#"{"codes":["abc","abc","abc"]}"#, "FindArg", "$.codes A list of 3 is not allowed."),
            (#"{"codes":["ab"]}"#, "FindArg", "$.codes[0] 'ab' is shorter than 3 characters."),
            (#"{"codes":["abcdef"]}"#, "FindArg", "$.codes[0] The text is longer than 5 characters."),
            (#"{"codes":["abc","abC"]}"#, "FindArg", "$.codes[1] 'abC' does not match '[a-z]+'."),
            (#"{"codes":[7]}"#, "FindArg", "$.codes[0] Expected is a string, not the integer 7."),
            (#"{"limit":0}"#, "FindArg", "$.limit 0 is not within 1...100."),
            (#"{"limit":"1"}"#, "FindArg", "$.limit Expected is an integer, not '1'."),
            (#"{"limit":1.5}"#, "FindArg", "$.limit Expected is an integer, not the number 1.5."),
            (#"{"limit":null}"#, "FindArg", "$.limit Expected is an integer, not null."),
            (#"{"Limit":1}"#, "FindArg", "$.Limit The field is unknown."),
            (#"{"limit":1,"limit":2}"#, "FindArg", "$.limit The field is there twice."),
            (#"{"since":"2024-01-01T00:00:00.5Z"}"#, "FindArg", "$.since '2024-01-01T00:00:00.5Z' has not the format"),
            (#"{"tags":{"a":1}}"#, "FindArg", "$.tags.a 'a' is shorter than 2 characters."),
            (#"{"tags":{"ab":true}}"#, "FindArg", "$.tags.ab Expected is an integer, not true."),
            (#"{"order":"up"}"#, "FindArg", "$.order 'up' is no tag of shelf.Order."),
            (#"{"order":"secret"}"#, "FindArg", "$.order The tag 'secret' is not public."),
            (#"{"order":1}"#, "FindArg", "$.order Expected is a tag of shelf.Order, not the integer 1."),
            (#"{"place":"other"}"#, "FindArg", "$.place 'other' is no tag of shelf.Place."),
            (#"{"place":"box"}"#, "FindArg", "$.place The tag 'box' needs a value."),
            (#"{"place":{".tag":"box"}}"#, "FindArg", "$.place.box The value of the tag is missing."),
            (#"{"place":{".tag":"shelf","shelf":1}}"#, "FindArg", "$.place.shelf The tag has no value."),
            (#"{"place":{".tag":"lent"}}"#, "FindArg", "$.place.name The field is missing."),
            (#"{"place":{"box":1,"shelf":null}}"#, "FindArg", "$.place['.tag'] The tag is missing (shelf.Place)."),
            (#"{"place":{".tag":"thing"}}"#, "FindArg", "$.place.thing The value of the tag is missing."),
            (#"{"path":"a"}"#, "FindArg", "$.path 'a' does not match"),
            (#"{"things":[{"name":"x"}],"has_more":false}"#, "FindResult", "$.things[0]['.tag'] The tag is missing"),
            (#"{"things":[{".tag":"cd"}],"has_more":false}"#, "FindResult", "'cd' is no subtype of shelf.Thing."),
            (
                #"{"things":[],"has_more":0}"#, "FindResult",
                "$.has_more Expected is a Boolean value, not the integer 0."
            ),
            (#"{"things":[]}"#, "FindResult", "$.has_more The field is missing."),
            (
                #"{"name":"x","pages":5001,"size":1,"bought":"2024-01-01"}"#, "Book",
                "$.pages 5001 is not within 0...5000."
            ),
            (#"{"name":"x","pages":-1,"size":1,"bought":"2024-01-01"}"#, "Book", "$.pages -1 is not within 0...5000."),
            (
                #"{"name":"x","pages":1,"size":1,"bought":"2024-02-30"}"#, "Book",
                "$.bought '2024-02-30' has not the format"
            ),
            (#"{"pages":1,"size":1,"bought":"2024-01-01"}"#, "Book", "$.name The field is missing."),
            (
                #"{".tag":"book","name":"x","pages":1,"size":1,"bought":"2024-01-01"}"#, "Book",
                "$['.tag'] The field is unknown."
            ),
            (
                #"{"name":"x","pages":1,"size":1,"bought":"2024-01-01","cover":"*"}"#, "Book",
                "$.cover The text is not base64."
            ),
            (
                #"{"name":"x","pages":1,"size":1,"bought":"2024-01-01","weight":91}"#, "Book",
                "$.weight 91.0 is not within"
            ),
            (
                #"{"name":"x","pages":1,"size":1,"bought":"2024-01-01","internal_mark":"a"}"#, "Book",
                "$.internal_mark The field is not public."
            ),
            (#"{".tag":"complete","x":1}"#, "Job", "$.x The field is unknown."),
            (#"{".tag":"other"}"#, "Job", "$ 'other' is no tag of shelf.Job."),
        ]
    )
    func bad(text: String, type: String, finding: String) throws {
        let found = try findings(text, type, .request)
        #expect(found.count == 1 && found[0].contains(finding), "\(found)")
    }

    @Test("an answer has tags as objects, and may have the tag for what old clients don't know")
    func answers() throws {
        #expect(try findings(#"{".tag":"other"}"#, "Place", .answer) == [])
        #expect(try findings(#"{".tag":"shelf"}"#, "Place", .answer) == [])
        #expect(
            try findings(#""shelf""#, "Place", .answer)
                == ["$ A tag in an answer is an object with '.tag' (shelf.Place)."]
        )
        #expect(try findings(#"{"box":1}"#, "Place", .answer) == ["$['.tag'] The tag is missing (shelf.Place)."])
        #expect(
            try findings(#"{".tag":"shelf","shelf":null}"#, "Place", .answer) == ["$.shelf The tag has no value."]
        )
    }
}
