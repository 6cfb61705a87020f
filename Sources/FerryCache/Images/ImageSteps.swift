import FerryCore

/// A picture as it comes: a kept thumbnail, if there is one, then the picture itself.
///
/// Nothing is asked for before it is read. Leaving the loop after the preview spares the picture.
public struct ImageSteps: AsyncSequence, Sendable {
    /// The state of the picture by then.
    public typealias Element = ImageStep
    /// The reason why the picture can't be read.
    public typealias Failure = any Error

    let preview: @Sendable () async -> Thumbnail?
    let full: @Sendable () async throws -> ImageContents

    /// Starts anew.
    ///
    /// - Returns: An iterator before the preview.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(steps: self)
    }

    /// Goes step by step.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Next {
            case preview, full, nothing
        }

        private let steps: ImageSteps
        private var upcoming = Next.preview

        fileprivate init(steps: ImageSteps) {
            self.steps = steps
        }

        /// The next step.
        ///
        /// - Returns: The preview, or the picture; `nil` after that.
        /// - Throws: The error that keeps the picture from being read.
        public mutating func next() async throws -> ImageStep? {
            if upcoming == .preview {
                upcoming = .full
                if let thumbnail = await steps.preview() { return .preview(thumbnail) }
            }
            guard upcoming == .full else { return nil }
            upcoming = .nothing
            return .full(try await steps.full())
        }
    }
}
