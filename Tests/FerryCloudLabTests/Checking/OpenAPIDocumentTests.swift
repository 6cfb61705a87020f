import Testing

@testable import FerryCloudLab

@Suite("Descriptions in OpenAPI and CSDL")
struct OpenAPIDocumentTests {
    private struct NoRules: OpenAPIRules {
        func allows(property name: String, value: JSONValue, in side: CloudFinding.Side) -> Bool { false }
        func complaints(
            about object: JSONObject,
            schemas names: Set<String>,
            in side: CloudFinding.Side
        ) -> [(property: String?, sentence: String)] { [] }
    }

    @Test("the metadata document completes the types of the OpenAPI document")
    func supplement() throws {
        let item = try #require(DriveDescription.make().shapes["microsoft.graph.driveItem"])
        #expect(item.names == ["microsoft.graph.driveItem", "microsoft.graph.entity"])
        #expect(item.properties["id"] != nil && item.properties["name"] != nil && !item.isOpen)
        #expect(item.properties["color"]?.reference == "microsoft.graph.color")
        #expect(item.properties["labels"]?.items.first?.type == "string")
        let document = try DriveDescription.make()
        #expect(document.schemas["microsoft.graph.color"]?.values == ["red", "blue"])
        #expect(document.shapes["microsoft.graph.spot"]?.properties.keys.sorted() == ["height", "x"])
        #expect(document.shapes["microsoft.graph.place"]?.isOpen == true)
    }

    @Test(
        "an operation is found by method and path, by its short name too",
        arguments: [
            ("GET", "drives/a", "/drives/{drive-id}"),
            ("PATCH", "drives/a/items/b", "/drives/{drive-id}/items/{driveItem-id}"),
            ("POST", "drives/a/items/b/copy", "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.copy"),
            (
                "POST", "drives/a/items/b/microsoft.graph.copy",
                "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.copy"
            ),
            ("GET", "drives/a/items/b/delta", "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.delta()"),
            ("GET", "drives/a/items/b/delta()", "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.delta()"),
            (
                "GET", "drives/a/items/b/search(q='x y')",
                "/drives/{drive-id}/items/{driveItem-id}/microsoft.graph.search(q='{q}')"
            ),
            ("POST", "drives/a", nil), ("GET", "drives", nil), ("GET", "drives/a/items/b/search", nil),
            ("GET", "drives/a/items/b/kids", nil),
        ]
    )
    func operations(method: String, path: String, template: String?) throws {
        let found = try DriveDescription.make().operation(
            method: method,
            path: path.split(separator: "/").map(String.init),
            namespace: "microsoft.graph."
        )
        #expect(found?.template.text == template)
    }

    @Test(
        "a value is as its schema says, or the difference is found with its place",
        arguments: [
            (
                #"{"id":"a","name":null,"size":9007199254740993,"color":"red","seen":"2024-01-01T00:00:00.1234567Z"}"#,
                nil
            ),
            (#"{"user":{"anything":[1]},"place":{"height":-1,"anything":1},"labels":["a"]}"#, nil),
            (#"{"children":[{"name":"a"},{"folder":{"childCount":0}}]}"#, nil),
            (#"{"seen":"2024-01-01T00:00:00+02:00"}"#, nil),
            (#"[]"#, "$ Expected is an object, not a list."),
            (#"{"nam":"a"}"#, "$.nam The property is unknown."),
            (#"{"name":"a","name":"b"}"#, "$.name The property is there twice."),
            (#"{"name":7}"#, "$.name Expected is a string, not the integer 7."),
            (#"{"name":"a/b"}"#, "$.name 'a/b' has another form."),
            (#"{"id":null}"#, "$.id Null is not allowed."),
            (#"{"size":"7"}"#, "$.size Expected is a number, not '7'."),
            (#"{"size":7.5}"#, "$.size Expected is an integer, not the number 7.5."),
            (#"{"color":"green"}"#, "$.color 'green' is no value of the list."),
            (#"{"seen":"2024-01-01"}"#, "$.seen '2024-01-01' is no date of RFC 3339."),
            (#"{"seen":"2024-02-30T00:00:00Z"}"#, "$.seen '2024-02-30T00:00:00Z' is no date of RFC 3339."),
            (#"{"seen":"2024-01-01T00:00:00"}"#, "$.seen '2024-01-01T00:00:00' is no date of RFC 3339."),
            (#"{"folder":{"childCount":-1}}"#, "$.folder.childCount the integer -1 is not within 0.0...2147483647.0."),
            (#"{"folder":{"childCount":2147483648}}"#, "$.folder.childCount the integer 2147483648 is not within"),
            (#"{"place":{"height":32768}}"#, "$.place.height the integer 32768 is not within"),
            (#"{"folder":null}"#, "$.folder Null is not allowed."),
            (#"{"folder":true}"#, "$.folder Expected is an object, not true."),
            (#"{"labels":"a"}"#, "$.labels Expected is a list, not 'a'."),
            (#"{"labels":["a",1]}"#, "$.labels[1] Expected is a string, not the integer 1."),
            (#"{"children":[{"file":{"mime":"a"}}]}"#, "$.children[0].file.mime The property is unknown."),
        ]
    )
    func values(text: String, finding: String?) throws {
        var check = OpenAPIValueCheck(try DriveDescription.make(), rules: NoRules(), side: .answer)
        check.check(try JSONParser.parse(text.utf8), .reference("microsoft.graph.driveItem"))
        guard let finding else {
            #expect(check.findings == [])
            return
        }
        #expect(check.findings.count == 1, "\(check.findings)")
        #expect(check.findings.contains { "\($0.path) \($0.sentence)".hasPrefix(finding) }, "\(check.findings)")
    }

    @Test(
        "a schema of alternatives takes what one of them takes",
        arguments: [(#"1"#, true), (#""a""#, true), (#"true"#, false)]
    )
    func alternatives(text: String, isGood: Bool) throws {
        let schema = try OpenAPISchema(try JSONParser.parse(#"{"oneOf":[{"type":"integer"},{"type":"string"}]}"#.utf8))
        var check = OpenAPIValueCheck(try DriveDescription.make(), rules: NoRules(), side: .answer)
        check.check(try JSONParser.parse(text.utf8), schema)
        #expect(check.findings.isEmpty == isGood)
    }

    @Test(
        "a document that can't be read is refused, with the file",
        arguments: ["{", "{}", ##"{"components":{"schemas":{"a":{"allOf":[{"$ref":"#/b"}]}}}}"##]
    )
    func failures(text: String) {
        let error = #expect(throws: DescriptionError.self) { try OpenAPIDocument(text.utf8, file: "a.json") }
        #expect(error?.file == "a.json")
    }

    @Test("an XML document is a tree of elements with attributes")
    func xml() throws {
        let text =
            "\u{FEFF}<?xml version='1.0'?><a b=\"1 &lt; 2 &amp; 3\"><!-- <c/> --><d/>text<e f='&quot;'></e></a>\n"
        let element = try XMLElement.parse(text.utf8, file: "a.xml")
        #expect(
            element
                == XMLElement(
                    name: "a",
                    attributes: ["b": "1 < 2 & 3"],
                    children: [XMLElement(name: "d"), XMLElement(name: "e", attributes: ["f": "\""])]
                )
        )
    }

    @Test(
        "a document that is no such tree is refused, with the line",
        arguments: [
            ("", 1), ("<a>", 1), ("<a></b>", 1), ("<a/><b/>", 1), ("<a\nb></a>", 2), ("<a\nb=1/>", 2),
            ("<a b='1' b='2'/>", 1), ("<!DOCTYPE a><a/>", 1), ("<a b='1/>", 1), ("<a><!-- </a>", 1),
            (String(repeating: "<a>", count: 200), 1),
        ]
    )
    func badXML(text: String, line: Int) {
        let error = #expect(throws: DescriptionError.self) { try XMLElement.parse(text.utf8, file: "a.xml") }
        #expect(error?.line == line)
    }
}
