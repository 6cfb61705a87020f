import Foundation
import NIOHTTP1

/// Exchanges with pre-authorised addresses, which only the documentation in prose describes
/// (https://learn.microsoft.com/graph/api/driveitem-createuploadsession,
/// https://learn.microsoft.com/graph/long-running-actions-overview).
extension GraphCheck {
    private static let fragmentMultiple: Int64 = 320 * 1024
    private static let maximumFragment: Int64 = 60 << 20
    private static let states: Set<String> = [
        "notStarted", "inProgress", "completed", "failed", "waiting", "updating", "deletePending", "deleteFailed",
        "cancelPending", "cancelFailed",
    ]

    func contentFindings(inRequest request: LabRequest, route: String) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        if request.headers.contains(name: "authorization") {
            report("Authorization", "An address that carries its authority takes no token.")
        }
        let methods: Set<String> =
            switch route {
            case "download", "thumbnailDownload", "monitor": ["GET", "HEAD"]
            default: ["GET", "PUT", "DELETE", "POST"]
            }
        if !methods.contains(request.method.rawValue) {
            report("", "The method '\(request.method.rawValue)' is not one of such an address.")
        }
        guard route == "fragment" else { return findings }
        guard let field = request.headers.first(name: "content-range") else {
            report("Content-Range", "The range of the fragment is missing.")
            return findings
        }
        guard let range = Self.range(field) else {
            report("Content-Range", "'\(field)' has not the form 'bytes a-b/total'.")
            return findings
        }
        if request.body.count != range.last - range.first + 1 {
            report("Content-Range", "'\(field)' does not fit the \(request.body.count) bytes of the body.")
        }
        if range.last + 1 != range.total, !request.body.count.isMultiple(of: Self.fragmentMultiple) {
            report("", "\(request.body.count) bytes are not a multiple of 320 KiB.")
        }
        if request.body.count >= Self.maximumFragment { report("", "A fragment has less than 60 MiB.") }
        return findings
    }

    /// Reads `bytes a-b/total`; `nil` for another form, or a range that can't be.
    private static func range(_ field: String) -> (first: Int64, last: Int64, total: Int64)? {
        guard field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        let numbers = parts.compactMap { Int64($0) }
        guard parts.count == 3, numbers.count == 3, field.contains("/") else { return nil }
        guard numbers[0] >= 0, numbers[0] <= numbers[1], numbers[1] < numbers[2] else { return nil }
        return (numbers[0], numbers[1], numbers[2])
    }

    func contentFindings(
        inAnswer response: LabResponse,
        to request: LabRequest,
        route: String
    ) -> [ValueFinding] {
        guard response.status < 400 else {
            return response.status == 416 && route == "download" ? [] : errorFindings(response)
        }
        switch (route, response.status) {
        case ("fragment", 202), ("uploadState", 200): return sessionFindings(response)
        case ("fragment", 200), ("fragment", 201), ("commitSession", 200), ("commitSession", 201):
            return bodyFindings(response, "microsoft.graph.driveItem")
        case ("cancelUpload", 204): return []
        case ("monitor", 200), ("monitor", 202), ("monitor", 303): return monitorFindings(response)
        case ("download", 200), ("thumbnailDownload", 200): return []
        case ("download", 206):
            guard !response.headers.contains(name: "content-range") else { return [] }
            return [ValueFinding(path: "Content-Range", sentence: "The range of the part is missing.")]
        default: return [ValueFinding(path: "", sentence: "The status \(response.status) is not one of '\(route)'.")]
        }
    }

    private func bodyFindings(_ response: LabResponse, _ schema: String) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        guard let value = json(response, &findings) else { return findings }
        var check = OpenAPIValueCheck(document, rules: GraphRules(), side: .answer)
        check.check(value, .reference(schema))
        return findings + check.findings
    }

    private func sessionFindings(_ response: LabResponse) -> [ValueFinding] {
        var findings = bodyFindings(response, "microsoft.graph.uploadSession")
        let value = (try? JSONParser.parse(response.body.bytes)) ?? .null
        for (index, range) in (value["nextExpectedRanges"]?.array ?? []).enumerated() {
            let bounds = range.string?.split(separator: "-", omittingEmptySubsequences: false) ?? []
            let isGood = bounds.count == 2 && Int64(bounds[0]) != nil && (bounds[1].isEmpty || Int64(bounds[1]) != nil)
            guard !isGood else { continue }
            let path = "$.nextExpectedRanges[\(index)]"
            findings.append(ValueFinding(path: path, sentence: "\(range.article) is no range such as '26-'."))
        }
        return findings
    }

    private func monitorFindings(_ response: LabResponse) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        if response.status == 303, !Self.isAddress(response.headers.first(name: "location")) {
            findings.append(ValueFinding(path: "Location", sentence: "The address of the item is missing."))
        }
        guard let value = json(response, &findings) else { return findings }
        func report(_ name: String, _ sentence: String) {
            findings.append(ValueFinding(path: "$.\(name)", sentence: sentence))
        }
        let status = value["status"]?.string ?? ""
        if !Self.states.contains(status) { report("status", "'\(status)' is no state of a job.") }
        if let part = value["percentageComplete"], part.double.map({ (0...100).contains($0) }) != true {
            report("percentageComplete", "\(part.article) is no percentage.")
        }
        if status == "completed", value["resourceId"]?.string == nil {
            report("resourceId", "The new item is missing.")
        }
        if status == "failed", value["error"]?["code"]?.string == nil { report("error", "The reason is missing.") }
        if response.status == 202, ["completed", "failed"].contains(status) {
            report("status", "A job that is over does not answer 202.")
        }
        return findings
    }
}
