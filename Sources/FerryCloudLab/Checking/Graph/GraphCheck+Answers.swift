import Foundation
import NIOHTTP1

extension GraphCheck {
    func answerFindings(
        _ response: LabResponse,
        to request: LabRequest,
        _ template: OpenAPITemplate,
        _ operation: OpenAPIOperation
    ) -> [ValueFinding] {
        guard response.status < 400 else { return errorFindings(response) }
        var findings: [ValueFinding] = []
        func report(_ path: String, _ sentence: String, isErratum: Bool = false) {
            findings.append(ValueFinding(path: path, sentence: sentence, isErratum: isErratum))
        }
        let method = operation.method
        let end = template.text.split(separator: "/").last ?? ""
        guard GraphErrata.statuses(method: method, template: template).contains(response.status) else {
            report("", "The status \(response.status) is not one of this operation.")
            return findings
        }
        switch response.status {
        case 202, 302:
            // The description has the item or the bytes themselves.
            report("", "The answer is an address, with the status \(response.status).", isErratum: true)
            if !Self.isAddress(response.headers.first(name: "location")) {
                report("Location", "The address is missing, or not absolute.")
            }
            if response.body.count > 0 { report("", "The answer has no body.") }
        case 204, 304: if response.body.count > 0 { report("", "The answer has no body.") }
        default:
            guard request.method != .HEAD, end != "content", let body = operation.answer(status: response.status) ?? nil
            else { return findings }
            guard let value = json(response, &findings) else { return findings }
            var check = OpenAPIValueCheck(document, rules: rules(for: request), side: .answer)
            check.check(value, body.schema)
            findings += check.findings
            checkLinks(value, end: end, &findings)
        }
        return findings
    }

    /// Returns the rules for the objects of the answer to a request.
    func rules(for request: LabRequest) -> GraphRules {
        func list(_ name: String) -> [String]? {
            (request.parameter("$\(name)") ?? request.parameter(name)).map(Self.items)
        }
        var rules = GraphRules()
        rules.selection = list("select").map { Set($0) }
        rules.isPartial = list("expand")?.contains { $0.contains("(") } ?? false
        return rules
    }

    private func checkLinks(_ value: JSONValue, end: Substring, _ findings: inout [ValueFinding]) {
        func report(_ sentence: String) { findings.append(ValueFinding(path: "$", sentence: sentence)) }
        if end.contains("microsoft.graph.delta") {
            let links = ["@odata.nextLink", "@odata.deltaLink"].filter { value[$0] != nil }
            if links.count != 1 { report("A page of changes has a link to the next one, or to later changes.") }
        } else if value["@odata.deltaLink"] != nil {
            report("Only changes have a link to later ones.")
        }
        if end == "microsoft.graph.createUploadSession", value["uploadUrl"] == nil {
            report("The address of the upload is missing.")
        }
    }

    func errorFindings(_ response: LabResponse) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        guard let value = json(response, &findings) else { return findings }
        var check = OpenAPIValueCheck(document, rules: GraphRules(), side: .answer)
        check.check(value, .reference("microsoft.graph.ODataErrors.ODataError"))
        findings += check.findings
        let code = value["error"]?["code"]?.string ?? ""
        if let statuses = GraphErrata.statuses[code], !statuses.contains(response.status) {
            let sentence = "'\(code)' does not come with the status \(response.status)."
            findings.append(ValueFinding(path: "$.error.code", sentence: sentence))
        }
        if response.status == 410, !Self.isAddress(response.headers.first(name: "location")) {
            let sentence = "The address of the new listing is missing."
            findings.append(ValueFinding(path: "Location", sentence: sentence))
        }
        return findings
    }

    /// Reads the body of an answer; reports it if it isn't JSON, or isn't called so.
    func json(_ response: LabResponse, _ findings: inout [ValueFinding]) -> JSONValue? {
        let type = response.headers.first(name: "content-type")?.lowercased() ?? ""
        if type != "application/json", !type.hasPrefix("application/json;") {
            findings.append(ValueFinding(path: "Content-Type", sentence: "The answer is not called JSON."))
        }
        return Self.json(response.body.bytes, at: "$", &findings)
    }

    static func isAddress(_ text: String?) -> Bool {
        guard let url = text.flatMap({ URL(string: $0) }) else { return false }
        return ["http", "https"].contains(url.scheme ?? "") && url.host?.isEmpty == false
    }
}
