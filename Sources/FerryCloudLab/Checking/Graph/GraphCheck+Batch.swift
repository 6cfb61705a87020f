import Foundation
import NIOHTTP1

/// Requests and answers inside a batch (https://learn.microsoft.com/graph/json-batching).
extension GraphCheck {
    private static let maximumCount = 20

    func batchFindings(inRequest request: LabRequest) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        guard let value = Self.json(request.body.bytes, at: "$", &findings) else { return findings }
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        for name in value.object?.names ?? [] where name != "requests" {
            report("$.\(name)", "The property is unknown.")
        }
        let parts = value["requests"]?.array ?? []
        if !(1...Self.maximumCount).contains(parts.count) {
            report("$.requests", "A batch has 1 to \(Self.maximumCount) requests, not \(parts.count).")
        }
        var ids: Set<String> = []
        for (index, part) in parts.enumerated() {
            let path = "$.requests[\(index)]"
            let known: Set<String> = ["id", "method", "url", "headers", "body", "dependsOn"]
            for name in part.object?.names ?? [] where !known.contains(name) {
                report("\(path).\(name)", "The property is unknown.")
            }
            guard let id = part["id"]?.string, ids.insert(id).inserted else {
                report("\(path).id", "The id is missing, or there twice.")
                continue
            }
            guard let inner = Self.request(in: part, of: request) else {
                report(path, "The request has no method, or no address of its own kind.")
                continue
            }
            findings += self.findings(inRequest: inner, route: "").map { finding in
                let place = finding.path.isEmpty ? "" : " \(finding.path)"
                return ValueFinding(path: path + place, sentence: finding.sentence, isErratum: finding.isErratum)
            }
        }
        return findings
    }

    func batchFindings(inAnswer response: LabResponse, to request: LabRequest) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        guard let value = json(response, &findings) else { return findings }
        let question = (try? JSONParser.parse(request.body.bytes)) ?? .null
        let asked = question["requests"]?.array ?? []
        let parts = value["responses"]?.array ?? []
        let answered = Set(parts.compactMap { $0["id"]?.string })
        if answered.count != parts.count || answered != Set(asked.compactMap { $0["id"]?.string }) {
            findings.append(ValueFinding(path: "$.responses", sentence: "Not each request has one answer."))
        }
        for (index, part) in parts.enumerated() {
            let path = "$.responses[\(index)]"
            guard let status = part["status"]?.integer, (100...599).contains(status) else {
                findings.append(ValueFinding(path: "\(path).status", sentence: "The status is missing."))
                continue
            }
            guard let source = asked.first(where: { $0["id"] == part["id"] }),
                let inner = Self.request(in: source, of: request)
            else { continue }
            var answer = LabResponse(Int(status))
            if let body = part["body"] { answer = LabResponse(Int(status), json: body) }
            for member in part["headers"]?.object?.members ?? [] {
                answer.headers.replaceOrAdd(name: member.name, value: member.value.string ?? "")
            }
            findings += self.findings(inAnswer: answer, to: inner, route: "", isRequestGood: true).map { finding in
                let place = finding.path.isEmpty ? "" : " \(finding.path)"
                return ValueFinding(path: path + place, sentence: finding.sentence, isErratum: finding.isErratum)
            }
        }
        return findings
    }

    /// Returns the request that is a part of a batch.
    private static func request(in part: JSONValue, of batch: LabRequest) -> LabRequest? {
        guard let method = part["method"]?.string, let url = part["url"]?.string, url.first == "/" else { return nil }
        var request = batch
        request.method = HTTPMethod(rawValue: method)
        let pieces = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        request.path = "/v1.0" + pieces[0]
        request.query = pieces.count > 1 ? LabRequest.fields(pieces[1]) : []
        request.body = part["body"].map { CloudContent($0.encoded) } ?? CloudContent()
        request.headers = HTTPHeaders(
            (part["headers"]?.object?.members ?? []).map { ($0.name, $0.value.string ?? "") }
        )
        if let token = batch.headers.first(name: "authorization") {
            request.headers.replaceOrAdd(name: "Authorization", value: token)
        }
        return request
    }
}
