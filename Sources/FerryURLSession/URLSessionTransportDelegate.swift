import FerryCore
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Gives what a `URLSession` delivers to the exchange that it is for, and declines what it would do on its own.
final class URLSessionTransportDelegate: NSObject, URLSessionDataDelegate {
    private struct State {
        var exchanges: [Int: URLSessionExchange] = [:]
        /// Tasks of which a server wanted to know who we are.
        var declined: Set<Int> = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Starts a task.
    ///
    /// - Parameters:
    ///   - exchange: Whom its answer is for.
    ///   - makeTask: Makes the task; isn't called after ``close(_:)``, when that would crash.
    /// - Throws: `CancellationError` after ``close(_:)``.
    func start(_ exchange: URLSessionExchange, _ makeTask: () -> URLSessionTask) throws {
        let task = try state.withLock { state in
            guard !state.isClosed else { throw CancellationError() }
            let task = makeTask()
            state.exchanges[task.taskIdentifier] = exchange
            exchange.begin(task)
            return task
        }
        task.resume()
    }

    /// Ends the session, once.
    ///
    /// - Parameter end: Ends it.
    func close(_ end: () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst { end() }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    // MARK: URLSession calls, one call at a time

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse {
            let isHead = dataTask.originalRequest?.httpMethod == "HEAD"
            let head = HTTPResponse(response)
            let isBodiless = isHead || head.status.code == 204 || head.status.code == 304
            let length = head.headerFields[.contentLength].flatMap { Int64($0) }
            exchange.received(head, length: isBodiless ? nil : length)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (exchange, isDeclined) = state.withLock { state in
            (
                state.exchanges.removeValue(forKey: task.taskIdentifier),
                state.declined.remove(task.taskIdentifier) != nil
            )
        }
        // A redirect that isn't followed, and on Linux a challenge that is declined, have an answer that was told to
        // nobody; the latter's body is lost, and it looks as if we had cancelled it.
        let response = task.response as? HTTPURLResponse
        if let response, error == nil || isDeclined { exchange?.receivedLate(HTTPResponse(response)) }
        let isAnswer = error == nil || (isDeclined && response != nil)
        exchange?.end(isAnswer ? nil : error.map { URLSessionFailure.mapped($0) })
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Proving who we are is `HTTPSession`'s, so an answer of 401 is an answer. Whom to trust is the system's to say.
        let declined = [
            NSURLAuthenticationMethodDefault, NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
            NSURLAuthenticationMethodHTMLForm, NSURLAuthenticationMethodNegotiate, NSURLAuthenticationMethodNTLM,
        ]
        guard declined.contains(challenge.protectionSpace.authenticationMethod) else {
            return completionHandler(.performDefaultHandling, nil)
        }
        state.withLock { _ = $0.declined.insert(task.taskIdentifier) }
        completionHandler(.rejectProtectionSpace, nil)
    }
}

extension HTTPResponse {
    fileprivate init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String, let name = HTTPField.Name(name) else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        if let coding = fields[.contentEncoding], coding.lowercased() != "identity" {
            // It is unpacked already.
            fields[.contentEncoding] = nil
            fields[.contentLength] = nil
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }
}
