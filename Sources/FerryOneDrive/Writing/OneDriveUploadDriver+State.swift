import FerryCore
import FerryHTTP
import NIOCore
import Synchronization

/// Questions to the service about what it has of an upload.
extension OneDriveUploadDriver {
    func acknowledged(in session: UploadSessionHandle) async throws -> UploadAcknowledgement? {
        let status: GraphUploadSession
        do {
            let request = try connection.request(following: session.id)
            status = try GraphConnection.decoded(
                GraphUploadSession.self,
                from: try await connection.answer(to: request, about: commit.path, isSigned: false).body
            )
        } catch let error as OneDriveError {
            guard [401, 403, 404, 410].contains(error.answeredStatusCode) else {
                throw error.mapped(whileWriting: true, target: commit.path)
            }
            // A session ends with the file: it may be there.
            return try await mayBeCommitted(after: error) ? .bytes(upTo: size) : nil
        }
        guard let start = status.expectedStart else {
            // Nothing is missing. Where there is no file all the same, no fragment is left that could make it.
            return try await mayBeCommitted(after: Self.otherBytes(commit.path)) ? .bytes(upTo: size) : nil
        }
        return state.withLock { state in
            guard state.carry.readableBytes > 0 else { return .bytes(upTo: start) }
            // The bytes that are held back count as taken, as long as they follow those that the service has.
            guard (state.carryStart..<state.carryEnd).contains(start) else {
                state.carry.clear()
                return .bytes(upTo: start)
            }
            state.carry.moveReaderIndex(forwardBy: Int(start - state.carryStart))
            state.carryStart = start
            return .bytes(upTo: state.carryEnd)
        }
    }

    private func mayBeCommitted(after error: any Error) async throws -> Bool {
        guard state.withLock({ $0.isUnanswered || $0.isEarlier }) else { return false }
        return try await isCommitted(after: error)
    }

    /// Looks whether the file is there although no answer said so.
    func isCommitted(after error: any Error) async throws -> Bool {
        if state.withLock({ $0.item != nil || $0.file != nil }) { return true }
        let file: FileObject?
        do {
            file = try await provider.storedFile(commit, size: size, hash: hash)
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch _ {
            // An item that could not be looked at is no proof of anything: the write has failed, as far as is known.
            throw error
        }
        state.withLock { $0.file = file }
        return file != nil
    }
}
