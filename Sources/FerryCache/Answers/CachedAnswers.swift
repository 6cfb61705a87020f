public import Foundation

/// The kept answer, at once, and then the storage's, if that is another: one answer or two, or none but an error.
///
/// ```swift
/// for try await answer in files.listingAnswers(path: "/photos") {
///     show(answer.value, isOld: answer.isCached)
/// }
/// ```
///
/// Where it ends after a kept answer, the storage has said the same. Each iteration asks anew.
public struct CachedAnswers<Value: Sendable>: AsyncSequence, Sendable {
    /// An answer.
    public typealias Element = CachedAnswer<Value>

    let kept: @Sendable () async throws -> CachedAnswer<Value>?
    /// Gets what was kept; `nil` if the storage says the same.
    let fresh: @Sendable (CachedAnswer<Value>?) async throws -> CachedAnswer<Value>?

    /// Starts anew.
    ///
    /// - Returns: An iterator before the first answer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(answers: self) }

    /// Gives one answer after the other.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private enum Step {
            case kept
            case fresh(after: CachedAnswer<Value>?)
            case end
        }

        private let answers: CachedAnswers
        private var step = Step.kept

        fileprivate init(answers: CachedAnswers) {
            self.answers = answers
        }

        /// The next answer.
        ///
        /// - Returns: An answer, or `nil` at the end.
        /// - Throws: Why the storage could not be asked, also after a kept answer; `URLError.resourceUnavailable` where it
        ///   was not to be asked.
        public mutating func next() async throws -> CachedAnswer<Value>? {
            switch step {
            case .kept:
                step = .end
                if let answer = try await answers.kept() {
                    step = .fresh(after: answer)
                    return answer
                }
                return try await answers.fresh(nil)
            case .fresh(let before):
                step = .end
                return try await answers.fresh(before)
            case .end: return nil
            }
        }
    }
}

/// An answer, and where it comes from.
public struct CachedAnswer<Value: Sendable>: Sendable {
    /// The answer.
    public let value: Value

    /// Indicates whether it was kept, and the storage not asked.
    public let isCached: Bool

    /// The date at which the storage said so; `nil` where it was given just now.
    public let date: Date?

    init(kept value: Value, date: Date) {
        self.value = value
        self.date = date
        isCached = true
    }

    init(fresh value: Value) {
        self.value = value
        date = nil
        isCached = false
    }
}

extension CachedAnswer: Equatable where Value: Equatable {}
extension CachedAnswer: Hashable where Value: Hashable {}
