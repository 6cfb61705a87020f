import Foundation
import NIOHTTP1

/// An exchange that is under way.
struct LabExchange: Sendable {
    var service: (any CloudService)?
    var route: String
    var request: LabRequest
    var record: Exchange
    var fault: Fault?

    /// The number of bytes of the request's body after which a fault cuts the connection.
    var requestLimit: Int64? {
        if case .cutRequest(let count)? = fault { Int64(count) } else { nil }
    }

    /// The number of bytes of the answer's body after which a fault cuts the connection.
    var responseLimit: Int64? {
        if case .truncateBody(let count)? = fault { Int64(max(0, count)) } else { nil }
    }

    /// The pause before each part of the answer's body.
    var pause: Duration? {
        if case .slowBody(let pause)? = fault { pause } else { nil }
    }
}

/// A table of the services that finds the one that a request is for, meets faults, and keeps the journal.
final class LabDispatcher: Sendable {
    private let services: [any CloudService]
    private let clock: LabClock
    private let journal: Journal
    private let faults: FaultPlan
    private let latency: Duration
    private let mutant: CloudMutant?
    private let checker: ExchangeChecker?

    init(
        services: [any CloudService],
        clock: LabClock,
        journal: Journal,
        faults: FaultPlan,
        latency: Duration,
        mutant: CloudMutant? = nil,
        checker: ExchangeChecker? = nil
    ) {
        self.services = services
        self.clock = clock
        self.journal = journal
        self.faults = faults
        self.latency = latency
        self.mutant = mutant
        self.checker = checker
    }

    /// The hosts of the real services.
    var hosts: [String] { services.flatMap(\.hosts.keys) }

    /// Writes the refusal of a host that isn't emulated into the journal.
    func refuse(target: String) {
        journal.append(
            Exchange(
                number: 0,
                date: clock.now,
                service: "proxy",
                route: target,
                method: "CONNECT",
                target: target,
                host: target,
                isAuthorized: false,
                range: nil,
                status: 403,
                requestBytes: 0,
                responseBytes: 0,
                fault: nil,
                refusal: "the host isn't emulated"
            )
        )
    }

    /// Finds the service that a request is for, and the fault that it meets.
    func begin(_ head: HTTPRequestHead) -> LabExchange {
        var target = head.uri
        // A proxy's client sends the whole URL.
        var host = head.headers.first(name: "host") ?? ""
        var scheme = "http"
        if let parts = URLComponents(string: target), let targetHost = parts.host, target.contains("://") {
            scheme = parts.scheme ?? scheme
            host = parts.port.map { "\(targetHost):\($0)" } ?? targetHost
            target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        }
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = pieces.first.map(String.init) ?? "/"
        let query = pieces.count > 1 ? LabRequest.fields(pieces[1]) : []
        var (service, endpoint): ((any CloudService)?, String) = (nil, "")
        var baseURLs: [String: String] = [:]
        let hostName = host.split(separator: ":").first.map { $0.lowercased() } ?? ""
        if let named = services.first(where: { $0.hosts[hostName] != nil }) {
            service = named
            endpoint = named.hosts[hostName] ?? ""
            for (name, key) in named.hosts { baseURLs[key] = "https://\(name)" }
        } else {
            let components = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
            if components.count >= 2, let found = services.first(where: { $0.name == components[0] }),
                found.endpoints.contains(String(components[1]))
            {
                service = found
                endpoint = String(components[1])
                path = "/" + (components.count > 2 ? components[2] : "")
            }
            for endpoint in service?.endpoints ?? [] {
                let near = "\(scheme)://\(host)/\(service?.name ?? "")/\(endpoint)"
                baseURLs[endpoint] = service?.origins[endpoint] ?? near
            }
        }
        let route = service?.route(method: head.method, endpoint: endpoint, path: path) ?? path
        let fault = faults.next(service: service?.name ?? "", route: route)
        let request = LabRequest(
            method: head.method,
            endpoint: endpoint,
            path: path,
            query: query,
            headers: head.headers,
            baseURLs: baseURLs,
            body: CloudContent(),
            fault: fault
        )
        let record = Exchange(
            number: 0,
            date: clock.now,
            service: service?.name ?? "",
            route: route,
            method: head.method.rawValue,
            target: head.uri,
            host: host,
            isAuthorized: head.headers.contains(name: "authorization"),
            range: head.headers.first(name: "range"),
            status: nil,
            requestBytes: 0,
            responseBytes: 0,
            fault: fault?.name,
            refusal: nil
        )
        return LabExchange(service: service, route: route, request: request, record: record, fault: fault)
    }

    /// Answers; returns `nil` if a fault cuts the connection.
    func respond(to exchange: LabExchange, body: CloudContent) async -> LabResponse? {
        await journal.counting(exchange.route) { await answer(to: exchange, body: body) }
    }

    private func answer(to exchange: LabExchange, body: CloudContent) async -> LabResponse? {
        var request = exchange.request
        request.body = body
        // The pause ends early when the lab stops, and the answer is then of no use to anybody.
        if latency > .zero { try? await Task.sleep(for: latency) }
        if case .delay(let pause)? = exchange.fault { try? await Task.sleep(for: pause) }
        guard let service = exchange.service else { return LabResponse(404, text: "No such service.") }
        let response = await response(to: request, of: exchange, by: service)
        checker?.check(request, of: exchange, by: service, response: response)
        return response
    }

    private func response(
        to request: LabRequest,
        of exchange: LabExchange,
        by service: any CloudService
    ) async -> LabResponse? {
        switch exchange.fault {
        case .cutBeforeCommit?, .cutRequest?: return nil
        case .loseAnswer?:
            _ = await answer(request, route: exchange.route, by: service)
            return nil
        case .answer(let status, let contentType, let body)?:
            return LabResponse(status, headers: ["Content-Type": contentType], body: CloudContent(body.utf8))
        case let fault?:
            if let response = service.response(for: fault, to: request) { return response }
        case nil: break
        }
        return await answer(request, route: exchange.route, by: service)
    }

    /// Lets the service answer, with the deliberate mistake if there is one.
    private func answer(_ request: LabRequest, route: String, by service: any CloudService) async -> LabResponse {
        guard let mutant, mutant.service == service.name else {
            return await service.respond(to: request, route: route)
        }
        return await mutant.answer(LabCall(request: request, route: route)) { call in
            await service.respond(to: call.request, route: call.route)
        }
    }

    /// Writes an exchange into the journal.
    func end(_ exchange: LabExchange, _ response: LabResponse, sent: Int64) {
        var exchange = exchange
        exchange.record.refusal = response.refusal
        end(exchange, status: response.status, sent: sent)
    }

    /// Writes an exchange into the journal.
    func end(_ exchange: LabExchange, status: Int?, sent: Int64) {
        var record = exchange.record
        record.status = status
        record.responseBytes = sent
        journal.append(record)
    }
}
