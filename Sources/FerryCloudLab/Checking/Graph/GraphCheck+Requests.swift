import Foundation
import NIOHTTP1

extension GraphCheck {
    func checkQuery(_ request: LabRequest, _ operation: OpenAPIOperation, _ findings: inout [ValueFinding]) {
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: "query: \(path)", sentence: sentence))
        }
        for name in Set(request.query.map(\.name)).sorted()
        where request.query.count(where: { $0.name == name }) > 1 {
            report(name, "The parameter is there twice.")
        }
        for (name, value) in request.query {
            // The dollar sign may be left out.
            let described = operation.query[name] != nil ? name : "$\(name)"
            if let schema = operation.query[described] {
                check(value, parameter: described, schema, report)
            } else if !GraphErrata.parameters.contains(name) {
                report(name, "The parameter is unknown.")
            } else if name.hasSuffix("conflictBehavior"), !["fail", "replace", "rename"].contains(value) {
                report(name, "'\(value)' is no behaviour.")
            }
        }
    }

    private func check(
        _ value: String,
        parameter name: String,
        _ schema: OpenAPISchema,
        _ report: (String, String) -> Void
    ) {
        switch name {
        case "$top", "$skip":
            if Int(value).map({ $0 >= (name == "$top" ? 1 : 0) }) != true { report(name, "'\(value)' is no count.") }
        case "$count": if !["true", "false"].contains(value) { report(name, "'\(value)' is no truth value.") }
        case "$select", "$expand", "$orderby":
            let known = schema.items.first?.values.map { Set($0.compactMap(\.string)) } ?? []
            for item in Self.items(of: value) {
                let bare = name == "$expand" ? String(item.prefix { $0 != "(" }) : item
                let plain = name == "$orderby" && bare.hasSuffix(" asc") ? String(bare.dropLast(4)) : bare
                if known.isEmpty || known.contains(plain) { continue }
                if name == "$select", GraphErrata.selectable.contains(plain) || GraphErrata.isThumbnailSize(plain) {
                    continue
                }
                report(name, "'\(bare)' is no value of the list.")
            }
        default: break
        }
    }

    /// Splits a list at commas that aren't inside parentheses.
    static func items(of text: String) -> [String] {
        var items: [String] = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { items.append("") } else { items[items.count - 1].append(character) }
        }
        return items.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    func checkBody(
        _ request: LabRequest,
        _ template: OpenAPITemplate,
        _ operation: OpenAPIOperation,
        _ findings: inout [ValueFinding]
    ) {
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        guard let body = operation.body else {
            if request.body.count > 0 { report("", "The request has no body.") }
            return
        }
        guard body.contentType == "application/json" else { return }
        guard request.body.count > 0 else {
            // Actions whose parameters are all optional may be called without any.
            if Self.needed(by: template) != nil { report("", "The body is missing.") }
            return
        }
        let type = request.headers.first(name: "content-type")?.lowercased() ?? ""
        if type != "application/json", !type.hasPrefix("application/json;") {
            report("Content-Type", "'\(type)' is not the type of a JSON body.")
        }
        guard let value = Self.json(request.body.bytes, at: "$", &findings) else { return }
        var check = OpenAPIValueCheck(document, rules: GraphRules(), side: .request)
        check.check(value, body.schema)
        findings += check.findings
        guard let needed = Self.needed(by: template), let object = value.object else { return }
        for alternatives in needed where alternatives.allSatisfy({ object[$0] == nil }) {
            report("$", "One of these is missing: \(alternatives.joined(separator: ", ")).")
        }
    }

    /// Returns the properties that a body must have: one of each list.
    private static func needed(by template: OpenAPITemplate) -> [[String]]? {
        switch template.text.split(separator: "/").last {
        case "children"?: [["name"], ["folder", "file", "remoteItem"]]
        case "microsoft.graph.copy"?: [["name", "parentReference"]]
        case "microsoft.graph.createLink"?: [["type"]]
        default: nil
        }
    }
}
