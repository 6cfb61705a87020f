import NIOHTTP1

extension DropboxCheck {
    /// The errors that all operations share, by status
    /// (https://www.dropbox.com/developers/documentation/http/documentation#error-handling).
    private static let sharedErrors: [Int: String] = [
        401: "auth.AuthError", 403: "auth.AccessError", 422: "common.PathRootError", 429: "auth.RateLimitError",
    ]

    /// The words of refusals of requests that have the described form.
    private static let undescribedReasons = ["\"cursor\" parameter", "The root folder is unsupported"]

    /// Returns what is wrong with files and folders beyond the types of their fields: the specification leaves fields
    /// optional that all of them have, and tells in words how paths and names belong together.
    private static func complaints(
        about structure: String,
        _ object: JSONObject
    ) -> [(field: String, sentence: String)] {
        guard ["files.FileMetadata", "files.FolderMetadata", "files.DeletedMetadata"].contains(structure) else {
            return []
        }
        var needed = ["path_lower", "path_display"]
        // A file that can't be downloaded has no contents of its own.
        if structure == "files.FileMetadata", object["is_downloadable"] != false { needed.append("content_hash") }
        var complaints = needed.filter { object[$0] ?? .null == .null }
            .map { (field: $0, sentence: "The field is missing, and clients rely on it.") }
        guard let lower = object["path_lower"]?.string, let display = object["path_display"]?.string else {
            return complaints
        }
        if lower != lower.lowercased() || lower.first != "/" {
            complaints.append(("path_lower", "'\(lower)' is no path in lower case."))
        }
        if display.lowercased() != lower.lowercased() {
            complaints.append(("path_display", "'\(display)' and '\(lower)' are not the same path."))
        }
        if let name = object["name"]?.string, display.split(separator: "/").last != name[...] {
            complaints.append(("name", "'\(name)' is not the last component of '\(display)'."))
        }
        return complaints
    }

    func findings(
        inAnswer response: LabResponse,
        to request: LabRequest,
        _ operation: StoneRoute,
        isRequestGood: Bool
    ) -> [ValueFinding] {
        var findings: [ValueFinding] = []
        func report(_ sentence: String) { findings.append(ValueFinding(path: "", sentence: sentence)) }
        switch response.status {
        case 200: checkResult(response, operation, &findings)
        case 206 where operation.style == "download":
            if !request.headers.contains(name: "range") { report("A part is sent that nobody has asked for.") }
            if !response.headers.contains(name: "content-range") { report("The range of the part is missing.") }
            checkResult(response, operation, &findings)
        case 416 where operation.style == "download" && request.headers.contains(name: "range"): break
        case 400:
            if isJSON(response) { report("A request of the wrong form is refused with plain text.") }
            let text = String(decoding: response.body.bytes, as: UTF8.self)
            if isRequestGood, !Self.undescribedReasons.contains(where: text.contains) {
                report("The request is refused, and the description has nothing against it.")
            }
        case 409: checkError(response, operation.error, &findings)
        case let status:
            guard let type = Self.sharedErrors[status] else {
                report("The status \(status) is not described.")
                return findings
            }
            checkError(response, .reference(type), &findings)
        }
        return findings
    }

    private func isJSON(_ response: LabResponse) -> Bool {
        let type = response.headers.first(name: "content-type")?.lowercased() ?? ""
        return type == "application/json" || type.hasPrefix("application/json;")
    }

    private func checkResult(_ response: LabResponse, _ operation: StoneRoute, _ findings: inout [ValueFinding]) {
        let bytes: [UInt8]
        var prefix = ""
        if operation.style == "download" {
            guard let text = response.headers.first(name: "dropbox-api-result") else {
                findings.append(ValueFinding(path: "Dropbox-API-Result", sentence: "The result is missing."))
                return
            }
            prefix = "Dropbox-API-Result: "
            bytes = Array(text.utf8)
            if !bytes.allSatisfy({ (0x20...0x7E).contains($0) }) {
                let sentence = "The result has characters above 0x7E that are not escaped."
                findings.append(ValueFinding(path: "Dropbox-API-Result", sentence: sentence))
            }
        } else {
            if !isJSON(response) {
                findings.append(ValueFinding(path: "Content-Type", sentence: "The result is not called JSON."))
            }
            bytes = response.body.bytes
        }
        guard let value = Self.json(bytes, at: prefix + "$", &findings) else { return }
        var check = StoneValueCheck(description, side: .answer, prefix: prefix)
        check.complaints = Self.complaints
        check.check(value, operation.result)
        findings += check.findings
    }

    /// Compares the body of an error: the tags in words, and the error itself.
    private func checkError(_ response: LabResponse, _ type: StoneType, _ findings: inout [ValueFinding]) {
        guard isJSON(response) else {
            findings.append(ValueFinding(path: "Content-Type", sentence: "The error is not called JSON."))
            return
        }
        guard let value = Self.json(response.body.bytes, at: "$", &findings) else { return }
        var check = StoneValueCheck(description, side: .answer)
        guard let object = value.object else { return check.report("An error is an object.") }
        if description.resolved(type) == .void {
            check.report("The operation has no errors of its own.")
        } else if let error = object["error"] {
            check.check(member: "error", error, type)
        } else {
            check.report(member: "error", "The field is missing.")
        }
        if let summary = object["error_summary"]?.string {
            let tag = object["error"]?[".tag"]?.string ?? object["error"]?["reason"]?[".tag"]?.string ?? ""
            if !summary.hasPrefix(tag + "/") {
                check.report(member: "error_summary", "'\(summary)' does not begin with '\(tag)/'.")
            }
        } else {
            check.report(member: "error_summary", "The text is missing.")
        }
        let known: Set<String> = ["error", "error_summary", "user_message"]
        for name in object.names where !known.contains(name) { check.report(member: name, "The field is unknown.") }
        findings += check.findings
    }
}
