import FerryCore

#if os(Linux) || os(macOS)
import FerryCore
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// The questions of one login, and their answers, through the pipes of its folder.
final class SSHConversation: Sendable {
    private struct State {
        var asked: Set<LoginQuestion> = []
        var refusal: SSHRefusal?
        var task: Task<Void, Never>?
        var openQuestions = 0
        var lastQuestion: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let secrets: SSHSecrets
    private let questions: any Channel
    private let answers: any Channel

    private init(secrets: SSHSecrets, questions: any Channel, answers: any Channel) {
        self.secrets = secrets
        self.questions = questions
        self.answers = answers
    }

    deinit { end() }

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - folder: The login's folder.
    ///   - secrets: The secrets, which answer the questions.
    /// - Returns: The conversation; it goes on until it is ended.
    /// - Throws: The error that keeps the pipes from being opened.
    static func begin(in folder: SSHLoginFolder, secrets: SSHSecrets) async throws -> SSHConversation {
        let loop = await EventLoopExecutor.sharedLoop()
        let reader = LoginQuestionReader()
        // Opened for both, a pipe neither waits for its other end nor ends with it.
        let questions = try await NIOPipeBootstrap(group: loop)
            .channelInitializer { $0.pipeline.addHandler(reader) }
            .takingOwnershipOfDescriptor(input: try opened(folder.questions)).get()
        let answers: any Channel
        do {
            answers = try await NIOPipeBootstrap(group: loop)
                .takingOwnershipOfDescriptor(output: try opened(folder.answers)).get()
        } catch {
            questions.close(promise: nil)
            throw error
        }
        let conversation = SSHConversation(secrets: secrets, questions: questions, answers: answers)
        reader.begin { [weak conversation] prompt, kind in
            conversation?.take(LoginQuestion(prompt, kind: kind))
        }
        return conversation
    }

    private static func opened(_ path: String) throws -> CInt {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return descriptor
    }

    /// Why nobody has answered, if that was so.
    var refusal: SSHRefusal? { state.withLock { $0.refusal } }

    /// The time since somebody was last thinking about an answer, zero while somebody is; `nil` if nobody was asked.
    var timeSinceQuestion: Duration? {
        state.withLock { state in
            state.openQuestions > 0 ? .zero : state.lastQuestion.map { $0.duration(to: .now) }
        }
    }

    /// Ends it.
    func end() {
        let task = state.withLock { state in
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
        questions.close(promise: nil)
        answers.close(promise: nil)
    }

    /// `ssh` asks one question after the other.
    private func take(_ question: LoginQuestion) {
        let isFirst = state.withLock { state in
            state.openQuestions += 1
            return state.asked.insert(question).inserted
        }
        let task = Task { [weak self, secrets] in
            let answer: String?
            var refusal: SSHRefusal?
            do {
                answer = try await secrets.answer(question, isFirst: isFirst)
                if answer == nil, !question.isNotice { refusal = .unanswered(question) }
            } catch {
                answer = nil
                refusal = .cancelled
            }
            self?.give(answer, to: question, refusal)
        }
        state.withLock { $0.task = task }
    }

    private func give(_ answer: String?, to question: LoginQuestion, _ refusal: SSHRefusal?) {
        state.withLock { state in
            state.openQuestions -= 1
            state.lastQuestion = .now
            if let refusal { state.refusal = refusal }
        }
        if question.isNotice { return }
        // An answer is a line: one with an end in it would answer the next question, too.
        let isLine = answer?.utf8.allSatisfy { $0 != 10 && $0 != 0 } ?? false
        answers.writeAndFlush(ByteBuffer(string: isLine ? "+\(answer ?? "")\n" : "-\n"), promise: nil)
    }
}

extension LoginQuestion {
    fileprivate var isNotice: Bool {
        if case .notice = self { true } else { false }
    }
}

/// Cuts what comes into questions: their kind and their text, each ended by a NUL.
private final class LoginQuestionReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    /// Bytes of a question.
    private static let longest = 64 << 10

    private struct State {
        var bytes: [UInt8] = []
        var take: (@Sendable (_ prompt: String, _ kind: String) -> Void)?
    }

    private let state = Mutex(State())

    func begin(_ take: @escaping @Sendable (_ prompt: String, _ kind: String) -> Void) {
        state.withLock { $0.take = take }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let chunk = unwrapInboundIn(data)
        let (fields, take) = state.withLock { state in
            state.bytes += chunk.readableBytesView
            if state.bytes.count > Self.longest { state.bytes = [] }
            var fields: [String] = []
            let ends = state.bytes.indices.filter { state.bytes[$0] == 0 }
            let whole = ends.count - ends.count % 2
            var start = 0
            for end in ends.prefix(whole) {
                fields.append(String(decoding: state.bytes[start..<end], as: UTF8.self))
                start = end + 1
            }
            state.bytes.removeFirst(start)
            return (fields, state.take)
        }
        for index in stride(from: 0, to: fields.count - 1, by: 2) { take?(fields[index + 1], fields[index]) }
    }
}
#endif

extension LoginQuestion {
    /// Reads a question.
    ///
    /// - Parameters:
    ///   - prompt: The prompt that `ssh` shows.
    ///   - kind: Its `SSH_ASKPASS_PROMPT`: `confirm` for a yes or no, `none` for no answer.
    init(_ prompt: String, kind: String) {
        let isPrint = { (scalar: Unicode.Scalar) in scalar == "\n" || scalar.value >= 32 && scalar.value != 127 }
        let text = String(String.UnicodeScalarView(prompt.unicodeScalars.filter(isPrint).prefix(2000)))
        if kind == "none" {
            self = .notice(text: text)
        } else if text.hasPrefix("The authenticity of host ") || text.hasPrefix("Please type 'yes'") {
            self = .hostKey(prompt: text)
        } else if text.hasPrefix("("), let end = text.firstIndex(of: ")") {
            // A server's question stands after who is asked: so it can't pass for one of the others.
            let asked = text[text.index(after: end)...].lowercased()
            self = asked.contains("password") ? .password(prompt: text) : .challenge(prompt: text)
        } else if text.hasSuffix("'s password: ") {
            self = .password(prompt: text)
        } else if text.hasPrefix("Enter passphrase for ") || text.hasPrefix("Enter PIN for ") {
            self = .passphrase(prompt: text)
        } else {
            self = .challenge(prompt: text)
        }
    }
}
