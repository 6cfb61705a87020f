import Foundation
import NIOHTTP1

extension GraphLab {
    private static let maximumBatch = 20

    private static let requestShape = GraphShape(
        ["id": .string, "method": .string, "url": .string, "dependsOn": .array(.string)],
        required: ["id", "method", "url"]
    )

    /// Answers `$batch`; requests meet the faults of their own operations, as far as an answer can show them.
    ///
    /// - Throws: A refusal with status 400 if the batch as a whole isn't right.
    func batch(_ request: LabRequest, account: GraphAccount) throws -> LabResponse {
        let steps = try steps(request)
        var answers: [(id: String, answer: LabResponse)] = []
        for step in steps {
            let id = step["id"]?.string ?? ""
            let needed = (step["dependsOn"]?.array ?? []).compactMap(\.string)
            let isBlocked = needed.contains { name in answers.contains { $0.id == name && $0.answer.status >= 400 } }
            let answer =
                isBlocked
                ? refused(GraphRefusal(424, "failedDependency", "A request that this one depends on has failed."))
                : self.answer(to: step, of: request)
            answers.append((id, answer))
        }
        // Answers come in any order.
        let values = answers.reversed().map { Self.json(id: $0.id, $0.answer) }
        return LabResponse(json: ["responses": .array(Array(values))])
    }

    private func steps(_ request: LabRequest) throws -> [JSONValue] {
        let value: JSONValue
        do {
            value = try JSONParser.parse(request.body.bytes)
        } catch {
            throw GraphRefusal.invalid("Unable to read JSON request payload (byte \(error.offset)).")
        }
        guard let steps = value["requests"]?.array else { throw GraphRefusal.invalid("'requests' must be an array.") }
        guard (1...Self.maximumBatch).contains(steps.count) else {
            throw GraphRefusal.invalid("A batch has from 1 to \(Self.maximumBatch) requests.")
        }
        var seen: Set<String> = []
        for step in steps {
            let plain = JSONObject(
                (step.object?.members ?? []).filter { $0.name != "headers" && $0.name != "body" }
                    .map { ($0.name, $0.value) }
            )
            if let complaint = Self.requestShape.complaint(about: .object(plain)) {
                throw GraphRefusal.invalid("Invalid batch: \(complaint).")
            }
            let needed = (step["dependsOn"]?.array ?? []).compactMap(\.string)
            guard needed.allSatisfy(seen.contains) else {
                throw GraphRefusal.invalid("A request depends on one that doesn't come before it.")
            }
            guard seen.insert(step["id"]?.string ?? "").inserted else {
                throw GraphRefusal.invalid("Two requests have the same id.")
            }
        }
        return steps
    }

    private func answer(to step: JSONValue, of batch: LabRequest) -> LabResponse {
        do {
            var request = try self.request(step, of: batch)
            let route = route(method: request.method, endpoint: "api", path: request.path)
            if let fault = faults.next(service: name, route: route) {
                if let response = response(for: fault, to: request) { return response }
                request.fault = fault
            }
            return try apiAnswer(request)
        } catch {
            return refused(Self.refusal(error))
        }
    }

    private func refused(_ refusal: GraphRefusal) -> LabResponse {
        let id = makeRequestID()
        return refusal.response(date: clock.now, requestID: id, clientRequestID: id)
    }

    private func request(_ step: JSONValue, of batch: LabRequest) throws -> LabRequest {
        let url = step["url"]?.string ?? ""
        guard !url.contains("://") else { throw GraphRefusal.invalid("The url of a request must be relative.") }
        let parts = (url.hasPrefix("/") ? url : "/" + url).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var headers = HTTPHeaders()
        for member in step["headers"]?.object?.members ?? [] {
            guard let value = member.value.string else { throw GraphRefusal.invalid("A header must be a string.") }
            headers.replaceOrAdd(name: member.name, value: value)
        }
        if !headers.contains(name: "authorization"), let token = batch.headers.first(name: "authorization") {
            headers.add(name: "Authorization", value: token)
        }
        var body = CloudContent()
        if let value = step["body"], value != .null {
            guard let type = headers.first(name: "content-type") else {
                throw GraphRefusal.invalid("A request with a body needs a Content-Type.")
            }
            if type.lowercased().hasPrefix("application/json") {
                body = CloudContent(value.encoded)
            } else {
                guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
                    throw GraphRefusal.invalid("A body that isn't JSON must be Base64.")
                }
                body = CloudContent(data)
            }
        }
        return LabRequest(
            method: HTTPMethod(rawValue: step["method"]?.string?.uppercased() ?? ""),
            endpoint: "api",
            path: "/v1.0" + (parts.first.map(String.init) ?? ""),
            query: parts.count > 1 ? LabRequest.fields(parts[1]) : [],
            headers: headers,
            baseURLs: batch.baseURLs,
            body: body,
            fault: nil
        )
    }

    private static func json(id: String, _ answer: LabResponse) -> JSONValue {
        var headers = JSONObject()
        for (name, value) in answer.headers { headers[name] = .string(value) }
        var fields = JSONObject([
            ("id", .string(id)), ("status", .integer(Int64(answer.status))), ("headers", .object(headers)),
        ])
        guard answer.body.count > 0 else { return .object(fields) }
        let isJSON = answer.headers.first(name: "content-type") == "application/json"
        let value = isJSON ? (try? JSONParser.parse(answer.body.bytes)) : nil
        fields["body"] = value ?? .string(Data(answer.body.bytes).base64EncodedString())
        return .object(fields)
    }
}
