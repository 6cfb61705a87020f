import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Checks of a lab's exchanges")
struct ExchangeCheckerTests {
    /// A check that finds one difference in each request and in each answer.
    private struct Grumble: DescriptionCheck {
        let service = "dropbox"

        func findings(inRequest request: LabRequest, route: String) -> [ValueFinding] {
            [ValueFinding(path: request.path, sentence: "A request.")]
        }

        func findings(
            inAnswer response: LabResponse,
            to request: LabRequest,
            route: String,
            isRequestGood: Bool
        ) -> [ValueFinding] {
            [ValueFinding(path: "", sentence: "The status \(response.status), \(isRequestGood).", isErratum: true)]
        }
    }

    private func request(_ path: String) -> LabRequest {
        LabRequest(
            method: .POST,
            endpoint: "api",
            path: path,
            query: [],
            headers: [:],
            baseURLs: [:],
            body: CloudContent(),
            fault: nil
        )
    }

    @Test("a difference is kept once, and shown once; exchanges of other services aren't counted")
    func findings() {
        let checker = ExchangeChecker([Grumble()])
        let shown = JournalLines()
        checker.observe { shown.append($0.jsonLine) }
        checker.check(request("/a"), service: "dropbox", route: "r", response: LabResponse(200))
        checker.check(request("/a"), service: "dropbox", route: "r", response: LabResponse(200))
        checker.check(request("/b"), service: "dropbox", route: "r", response: nil)
        checker.check(request("/c"), service: "graph", route: "r", response: nil)
        #expect(checker.count == 3)
        #expect(
            checker.findings.map(\.description) == [
                "dropbox r, request at /a: A request.",
                "dropbox r, answer: The status 200, false. (a known erratum)", "dropbox r, request at /b: A request.",
            ]
        )
        #expect(shown.lines.count == 3)
        #expect(
            shown.lines.first
                == #"{"service":"dropbox","route":"r","side":"request","path":"/a","sentence":"A request.","isErratum":false}"#
        )
    }

    @Test(
        "an answer that a fault has made is not looked at, and the request is",
        arguments: [
            (Fault.answer(status: 200, contentType: "text/plain", body: "x"), 200, [CloudFinding.Side.request]),
            (.serverError(status: 503), 503, [.request]), (.cutBeforeCommit, nil, [.request]),
            (.cutRequest(afterBytes: 1), nil, []), (.expireToken, 401, [.request, .answer]),
        ] as [(Fault, Int?, [CloudFinding.Side])]
    )
    func faults(fault: Fault, status: Int?, sides: [CloudFinding.Side]) async throws {
        let lab = try await CloudLab.start()
        let checker = ExchangeChecker([Grumble()])
        var exchange = lab.dispatcher.begin(
            .init(version: .http1_1, method: .POST, uri: "/dropbox/api/2/files/list_folder")
        )
        exchange.fault = fault
        checker.check(exchange.request, of: exchange, by: lab.dropbox, response: status.map { LabResponse($0) })
        #expect(checker.findings.map(\.side) == sides)
        await lab.stop()
    }

    @Test("without descriptions nothing is looked at")
    func off() async throws {
        try await withCloudLab { lab in
            _ = try await DropboxClient(lab).call("files/nothing", [:])
            #expect(lab.findings == [] && lab.checkedExchangeCount == 0)
        }
    }

    @Test("a lab doesn't start with descriptions that it can't read")
    func unreadable() async throws {
        var options = CloudLab.Options()
        options.descriptions = URL.temporaryDirectory.appending(path: UUID().uuidString)
        await #expect(throws: (any Error).self) { try await CloudLab.start(options) }
    }

    @Test("the folder is the one that the environment names, or lies beside the current directory")
    func folder() throws {
        let base = URL.temporaryDirectory.appending(path: UUID().uuidString)
        let (checkout, specs) = (base.appending(path: "main"), base.appending(path: "shared/specs"))
        try FileManager.default.createDirectory(at: specs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: base) }
        func path(_ environment: [String: String], _ directory: URL) -> String? {
            CloudDescriptions.folder(environment: environment, beside: directory).map {
                $0.standardizedFileURL.path(percentEncoded: false)
            }
        }
        let expected = specs.standardizedFileURL.path(percentEncoded: false)
        #expect(path([:], checkout)?.hasPrefix(expected) == true)
        #expect(path(["FERRY_SPECS": ""], checkout)?.hasPrefix(expected) == true)
        #expect(path(["FERRY_SPECS": specs.path(percentEncoded: false)], base)?.hasPrefix(expected) == true)
        #expect(path(["FERRY_SPECS": base.appending(path: "gone").path(percentEncoded: false)], checkout) == nil)
        #expect(path([:], base.appending(path: "a/b")) == nil)
    }
}
