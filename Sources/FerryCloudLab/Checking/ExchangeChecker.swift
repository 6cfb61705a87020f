import Foundation
import Synchronization

/// A check of all exchanges of a lab, which keeps what it finds.
final class ExchangeChecker: Sendable {
    private struct State {
        var findings: [CloudFinding] = []
        var known: Set<CloudFinding> = []
        var count = 0
        var observer: (@Sendable (CloudFinding) -> Void)?
    }

    private let checks: [any DescriptionCheck]
    private let state = Mutex(State())

    init(_ checks: [any DescriptionCheck]) { self.checks = checks }

    /// The differences, each once, in the order in which they were found.
    var findings: [CloudFinding] { state.withLock(\.findings) }

    /// The number of exchanges that were looked at.
    var count: Int { state.withLock(\.count) }

    /// Sets a function that gets each finding, each once.
    func observe(_ observer: (@Sendable (CloudFinding) -> Void)?) { state.withLock { $0.observer = observer } }

    /// Looks at an exchange.
    ///
    /// - Parameters:
    ///   - request: The request, which has arrived as a whole.
    ///   - service: The service that it is for.
    ///   - route: The operation.
    ///   - response: The answer; `nil` if there is none, or if it isn't the service's own.
    func check(_ request: LabRequest, service: String, route: String, response: LabResponse?) {
        guard let check = checks.first(where: { $0.service == service }) else { return }
        let inRequest = check.findings(inRequest: request, route: route)
        var inAnswer: [ValueFinding] = []
        if let response {
            let isGood = inRequest.allSatisfy(\.isErratum)
            inAnswer = check.findings(inAnswer: response, to: request, route: route, isRequestGood: isGood)
        }
        func findings(_ side: CloudFinding.Side, _ found: [ValueFinding]) -> [CloudFinding] {
            found.map { finding in
                CloudFinding(
                    service: service,
                    route: route,
                    side: side,
                    path: finding.path,
                    sentence: finding.sentence,
                    isErratum: finding.isErratum
                )
            }
        }
        add(findings(.request, inRequest) + findings(.answer, inAnswer))
    }

    /// Looks at an exchange of the server.
    ///
    /// - Parameters:
    ///   - request: The request, with the body that has arrived.
    ///   - exchange: The exchange, with the fault that it meets.
    ///   - service: The service that it is for.
    ///   - response: The answer; `nil` if there is none.
    func check(
        _ request: LabRequest,
        of exchange: LabExchange,
        by service: any CloudService,
        response: LabResponse?
    ) {
        var response = response
        switch exchange.fault {
        // The connection ended before the request did.
        case .cutRequest?: return
        case .answer?: response = nil
        case .some: if let status = response?.status, status >= 500 { response = nil }
        case nil: break
        }
        check(request, service: service.name, route: exchange.route, response: response)
    }

    private func add(_ findings: [CloudFinding]) {
        let (new, observer) = state.withLock { state in
            state.count += 1
            let new = findings.filter { state.known.insert($0).inserted }
            state.findings += new
            return (new, state.observer)
        }
        for finding in new { observer?(finding) }
    }
}

extension ExchangeChecker {
    /// The descriptions that were read already, since that takes longer than to start a lab.
    private static let readChecks = Mutex<[URL: [any DescriptionCheck]]>([:])

    /// Reads the descriptions of all services that have one in a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The checks.
    /// - Throws: ``DescriptionError``, or the error of the file system.
    static func checks(folder: URL) throws -> [any DescriptionCheck] {
        if let checks = readChecks.withLock({ $0[folder] }) { return checks }
        let checks: [any DescriptionCheck] = [try DropboxCheck(folder: folder), try GraphCheck(folder: folder)]
        readChecks.withLock { $0[folder] = checks }
        return checks
    }
}
