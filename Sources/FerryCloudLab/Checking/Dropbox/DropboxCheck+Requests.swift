import NIOHTTP1

extension DropboxCheck {
    func operationFindings(inRequest request: LabRequest, route: String) -> [ValueFinding] {
        guard let operation = description.routes[route] else {
            return [ValueFinding(path: "", sentence: "There is no operation '\(route)'.")]
        }
        var findings: [ValueFinding] = []
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        if request.method != .POST { report("", "The method is POST, not \(request.method.rawValue).") }
        if request.endpoint != operation.host {
            report("", "The host is the one of '\(operation.host)', not of '\(request.endpoint)'.")
        }
        for (name, _) in request.query { report("", "The parameter '\(name)' of the query is unknown.") }
        checkAuthorization(request, operation, &findings)
        checkPathRoot(request, &findings)
        checkArgument(request, operation, &findings)
        return findings
    }

    private func checkAuthorization(
        _ request: LabRequest,
        _ operation: StoneRoute,
        _ findings: inout [ValueFinding]
    ) {
        let field = request.headers.first(name: "authorization")
        func report(_ sentence: String) {
            findings.append(ValueFinding(path: "Authorization", sentence: sentence))
        }
        if operation.credentials.contains("noauth") {
            if field != nil { report("The operation takes no token.") }
            return
        }
        guard let field else { return report("The token is missing.") }
        if operation.credentials == ["app"] {
            if !field.hasPrefix("Basic ") { report("The operation takes the key and secret of the app.") }
        } else if !field.hasPrefix("Bearer "), !(operation.credentials.contains("app") && field.hasPrefix("Basic ")) {
            report("The token is not behind 'Bearer '.")
        }
    }

    private func checkPathRoot(_ request: LabRequest, _ findings: inout [ValueFinding]) {
        let name = "Dropbox-API-Path-Root"
        guard let text = request.headers.first(name: name) else { return }
        guard let value = Self.json(text.utf8, at: name, &findings) else { return }
        var check = StoneValueCheck(description, side: .request, prefix: "\(name): ")
        check.check(value, .reference("common.PathRoot"))
        findings += check.findings
    }

    private func checkArgument(_ request: LabRequest, _ operation: StoneRoute, _ findings: inout [ValueFinding]) {
        let type = request.headers.first(name: "content-type")?.lowercased()
        let argument = request.headers["dropbox-api-arg"]
        func report(_ path: String, _ sentence: String) {
            findings.append(ValueFinding(path: path, sentence: sentence))
        }
        let isVoid = description.resolved(operation.argument) == .void
        if operation.style == "rpc" {
            if !argument.isEmpty { report("Dropbox-API-Arg", "The argument belongs into the body.") }
            if request.body.count == 0, isVoid {
                if type != nil { report("Content-Type", "A request without a body has no content type.") }
                return
            }
            if !Self.jsonTypes.contains(type ?? "") {
                report("Content-Type", "'\(type ?? "")' is not the type of a JSON argument.")
            }
            check(request.body.bytes, operation.argument, prefix: "", &findings)
            return
        }
        let types: Set<String>
        if operation.style == "upload" {
            types = ["application/octet-stream", "text/plain; charset=dropbox-cors-hack"]
        } else {
            types = ["", "text/plain", "text/plain; charset=utf-8", "application/octet-stream"]
            if request.body.count > 0 { report("", "A download has no body.") }
        }
        if !types.contains(type ?? "") {
            report("Content-Type", "'\(type ?? "")' is not the type of an operation of the style '\(operation.style)'.")
        }
        guard argument.count == 1 else {
            report("Dropbox-API-Arg", "The argument is there \(argument.count) times, not once.")
            return
        }
        if !argument[0].utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
            // Services take it from clients that are older than the rule, as rclone is.
            let sentence = "The argument has characters above 0x7E that are not escaped."
            findings.append(ValueFinding(path: "Dropbox-API-Arg", sentence: sentence, isErratum: true))
        }
        check(argument[0].utf8, operation.argument, prefix: "Dropbox-API-Arg: ", &findings)
    }

    private func check(
        _ bytes: some Sequence<UInt8>,
        _ type: StoneType,
        prefix: String,
        _ findings: inout [ValueFinding]
    ) {
        guard let value = Self.json(bytes, at: prefix + "$", &findings) else { return }
        var check = StoneValueCheck(description, side: .request, prefix: prefix)
        check.check(value, type)
        findings += check.findings
        for path in Self.rootPaths(in: value) {
            findings.append(ValueFinding(path: prefix + path, sentence: "The root is '', and never '/'."))
        }
    }

    /// Returns the places of paths that name the root as `/`, which the patterns of the specification let through.
    private static func rootPaths(in value: JSONValue, at place: String = "$") -> [String] {
        switch value {
        case .object(let object):
            object.members.flatMap { member in
                let inner = "\(place).\(member.name)"
                let isRoot = member.name.hasSuffix("path") && member.value == "/"
                return isRoot ? [inner] : rootPaths(in: member.value, at: inner)
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, element in rootPaths(in: element, at: "\(place)[\(index)]") }
        default: []
        }
    }
}
