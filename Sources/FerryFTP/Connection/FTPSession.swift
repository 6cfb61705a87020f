import CCurl
import FerryCore
import Foundation
import Logging

/// A connection that is logged in, and all that is done on it, one call after the other.
///
/// Its calls block: they run on the connection's own thread.
// Unchecked: the pool gives it to one call at a time, whose work runs on `thread` only.
final class FTPSession: @unchecked Sendable {
    let server: FTPServer
    let thread = FTPThread()

    /// Ends the call that is under way; another one for each call.
    var cancellation = FTPCancellation()

    /// Indicates whether it can be used for another call.
    private(set) var isUsable = true
    private(set) var isLoggedIn = false

    /// When it was last used.
    var lastUse = ContinuousClock.now

    /// libcurl's connection, until it is closed.
    private var connection: CurlConnection?
    /// Indicates whether sizes and contents count bytes now (`TYPE I`), as far as we know.
    private var isBinary = false
    /// Indicates whether libcurl takes the type for ASCII: it sends no `TYPE` if it believes that the right one holds.
    private var curlBelievesASCII = false

    init(_ server: FTPServer) throws {
        self.server = server
        connection = try CurlConnection(
            server.address,
            user: server.credential?.user,
            password: server.password,
            options: server.options
        )
    }

    /// Ends its use.
    func retire() { isUsable = false }

    /// Closes the connection; on its thread, since that may block.
    func close() { connection = nil }

    /// Makes a call.
    ///
    /// - Returns: The replies, of which the last one may be a refusal.
    /// - Throws: `FTPFailure`, `CancellationError`.
    private func perform(
        _ call: CurlCall,
        receiver: CurlExchange.Receiver? = nil,
        sender: CurlExchange.Sender? = nil
    ) throws -> CurlConnection.Outcome {
        guard let connection else { throw FTPFailure.stale }
        var call = call
        call.patience = server.options.timeout
        do {
            let outcome = try connection.perform(
                call,
                cancellation: cancellation,
                receiver: receiver,
                sender: sender
            )
            if !Self.keepsConnection(outcome.code) || outcome.replies.last?.code == 421 { isUsable = false }
            return outcome
        } catch {
            isUsable = false
            throw error
        }
    }

    /// The results after which the control connection can be used again.
    private static func keepsConnection(_ code: UInt32) -> Bool {
        [CURLE_OK, CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE, CURLE_UPLOAD_FAILED]
            .contains { $0.rawValue == code }
    }

    private func failure(_ outcome: CurlConnection.Outcome) -> FTPFailure {
        if outcome.wasStale { return .stale }
        if outcome.hasTimedOut { return .timedOut }
        if !isLoggedIn, outcome.code == CURLE_COULDNT_CONNECT.rawValue {
            return .unreachable(systemError: outcome.systemError)
        }
        if isLoggedIn, FTPFailure.isAboutReaching(outcome.code) { return .dataConnection(message: outcome.message) }
        // Where it has spoken FTP before, what broke the line says more.
        if outcome.hasNonsense, outcome.replies.isEmpty { return .senseless("what the server says is not FTP") }
        return .line(code: outcome.code, message: outcome.message, reply: outcome.replies.last)
    }
}

// MARK: - Logging in

extension FTPSession {
    /// Logs in, and finds out what the server can do if nobody knows.
    ///
    /// - Throws: `FTPFailure`.
    func logIn() throws {
        let outcome = try perform(CurlCall())
        guard outcome.code == CURLE_OK.rawValue else {
            isUsable = false
            throw loginFailure(outcome)
        }
        isLoggedIn = true
        if !server.known.isKnown { try learnAboutServer(outcome) }
        if server.options.encoding.name == nil, server.known.has("UTF8") {
            _ = try command("OPTS UTF8 ON")
        }
    }

    private func loginFailure(_ outcome: CurlConnection.Outcome) -> FTPFailure {
        // A server without TLS refuses AUTH, which is no refusal of a login.
        guard outcome.code != CURLE_USE_SSL_FAILED.rawValue, let reply = outcome.replies.last(where: \.isRefusal) else {
            return failure(outcome)
        }
        let words = reply.text.lowercased()
        let isAboutNumbers = ["too many", "maximum", "limit", "no more connections", "connections from"].contains {
            words.contains($0)
        }
        switch reply.code {
        case 421: return .tooManyConnections(reply)
        case 530 where isAboutNumbers: return .tooManyConnections(reply)
        case 530, 430, 532, 331, 332: return .login(reply)
        case _ where outcome.code == CURLE_LOGIN_DENIED.rawValue: return .login(reply)
        default: return failure(outcome)
        }
    }

    private func learnAboutServer(_ login: CurlConnection.Outcome) throws {
        let features = try command("FEAT")
        let system = try command("SYST")
        server.learn { facts in
            facts.learn(features: features)
            facts.greeting = login.replies.first?.text ?? ""
            facts.system = system.isSuccess ? system.text : ""
            facts.entryPath = login.entryPath ?? []
            facts.isKnown = true
        }
    }
}

// MARK: - Commands

extension FTPSession {
    /// Sends a command.
    ///
    /// - Parameters:
    ///   - verb: The command, and what else is known to hold no line's end.
    ///   - path: The argument after a space.
    /// - Returns: The server's reply, whatever it is.
    /// - Throws: `FTPFailure` where there is none; `CocoaError.fileWriteInvalidFileName`.
    @discardableResult
    func command(_ verb: String, _ path: FTPPath? = nil) throws -> FTPReply {
        let command = try FTPCommand(verb, path)
        server.logger.trace("FTP command", metadata: ["verb": "\(command.verb)"])
        let outcome = try perform(CurlCall(commands: [command]))
        guard let reply = outcome.replies.last else { throw failure(outcome) }
        if reply.code == 421 { throw FTPFailure.refusal(reply) }
        guard outcome.code == CURLE_OK.rawValue else { throw failure(outcome) }
        if reply.code == 500 || reply.code == 502 {
            server.learn { $0.unknownCommands.insert(command.verb) }
        }
        return reply
    }

    /// Sends a command that must succeed.
    ///
    /// - Returns: The reply.
    /// - Throws: `FTPFailure.refusal`.
    @discardableResult
    func require(_ verb: String, _ path: FTPPath? = nil) throws -> FTPReply {
        let reply = try command(verb, path)
        guard !reply.isRefusal else { throw FTPFailure.refusal(reply) }
        return reply
    }

    /// Makes sizes count bytes: some servers tell none in the other mode.
    func requireBinary() throws {
        guard !isBinary else { return }
        try require("TYPE I")
        isBinary = true
    }
}

// MARK: - Transfers

extension FTPSession {
    /// Reads a listing.
    ///
    /// - Parameters:
    ///   - command: `MLSD /folder`, or `LIST` of the folder where we are.
    ///   - receiver: Takes the bytes; `false` ends it.
    /// - Returns: The reply that ends it well; `nil` if the receiver has ended it.
    /// - Throws: `FTPFailure`: `refusal`, `incomplete` without the reply that ends it well, `senseless` where that says
    ///   that something was left out.
    @discardableResult
    func list(_ command: FTPCommand, receiver: @escaping CurlExchange.Receiver) throws -> FTPReply? {
        var hasEnded = false
        let outcome = try perform(CurlCall(transfer: .listing(command))) { bytes in
            if !receiver(bytes) { hasEnded = true }
            return !hasEnded
        }
        if !curlBelievesASCII { isBinary = false }
        curlBelievesASCII = true
        if hasEnded { return nil }
        try requireEnd(outcome)
        let end = outcome.replies.last
        if let end, end.text.lowercased().contains("truncated") {
            throw FTPFailure.senseless("the server lists only a part of the folder: \(end.text)")
        }
        return end
    }

    /// Reads a file's content.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: Bytes to leave out at its start.
    ///   - end: Where the server is to end, if it has `RANG`.
    ///   - isBrief: `true` if the receiver will end it soon.
    ///   - receiver: Takes the bytes; `false` ends it, and the connection with it.
    /// - Returns: The reply that began the transfer, in which some servers say the file's size.
    /// - Throws: `FTPFailure`.
    @discardableResult
    func retrieve(
        _ path: FTPPath,
        offset: Int64 = 0,
        end: Int64? = nil,
        isBrief: Bool = false,
        receiver: @escaping CurlExchange.Receiver
    ) throws -> FTPReply? {
        try requireTransferable(path)
        var hasEnded = false
        var call = CurlCall(transfer: .retrieval(path), isBrief: isBrief)
        if let end {
            call.immediately = [try FTPCommand("RANG \(offset) \(end - 1)")]
        } else if offset > 0 {
            call.immediately = [try FTPCommand("REST \(offset)")]
        }
        let outcome = try perform(call) { bytes in
            if !receiver(bytes) { hasEnded = true }
            return !hasEnded
        }
        (isBinary, curlBelievesASCII) = (true, false)
        if hasEnded { return outcome.replies.first { [125, 150].contains($0.code) } }
        try requireEnd(outcome)
        return outcome.replies.first { [125, 150].contains($0.code) }
    }

    /// Writes a file's content.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: Bytes, if that is known.
    ///   - appends: `true` if it goes behind what is there.
    ///   - offset: Bytes that stay at the file's start; 0 for a new file.
    ///   - sender: Gives the bytes; `nil` ends it, and the connection with it.
    /// - Throws: `FTPFailure`.
    func store(
        _ path: FTPPath,
        length: Int64?,
        appends: Bool = false,
        offset: Int64 = 0,
        sender: @escaping CurlExchange.Sender
    ) throws {
        try requireTransferable(path)
        var call = CurlCall(transfer: .storing(path, length: length, appends: appends))
        if offset > 0 { call.immediately = [try FTPCommand("REST \(offset)")] }
        let outcome = try perform(call, sender: sender)
        (isBinary, curlBelievesASCII) = (true, false)
        try requireEnd(outcome)
    }

    private func requireTransferable(_ path: FTPPath) throws {
        guard path.isTransferable else {
            throw CocoaError.file(
                .fileWriteInvalidFileName,
                path: path.item,
                description: "a file can't be transferred whose name has control characters in it"
            )
        }
    }

    /// Requires that a transfer has begun, and ended with 226 or 250: the closed data connection alone proves nothing.
    private func requireEnd(_ outcome: CurlConnection.Outcome) throws {
        if outcome.code == CURLE_OK.rawValue, let last = outcome.replies.last, [226, 250].contains(last.code) {
            return
        }
        guard !outcome.wasStale, !outcome.hasTimedOut else { throw failure(outcome) }
        if let refusal = outcome.replies.last, refusal.isRefusal {
            // A reply after the beginning is no answer to the question, but tells how the transfer broke.
            let hasBegun = outcome.replies.contains { [125, 150].contains($0.code) }
            let isClear = FTPRefusalMeaning(refusal) == .full
            throw hasBegun && !isClear ? FTPFailure.incomplete(refusal) : FTPFailure.refusal(refusal)
        }
        if outcome.code == CURLE_OK.rawValue || outcome.code == CURLE_PARTIAL_FILE.rawValue {
            isUsable = false
            throw FTPFailure.incomplete(outcome.replies.last)
        }
        throw failure(outcome)
    }
}
