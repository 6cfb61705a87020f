import FerryMediaWire
import Glibc

/// Does one job after the other until the library has no more.
struct JobLoop {
    let connection: Connection

    /// Runs until the library closes its end.
    ///
    /// - Throws: `WireError` when it says what is no message.
    func run() throws(WireError) {
        connection.send(.ready(version: WireFormat.version))
        while let message = try connection.next() {
            // Other messages between jobs belong to one that is over: an answer, or that it is unwanted.
            guard case .request(let id, let job) = message else { continue }
            let source = ByteSource(connection: connection, id: id, size: job.size)
            MemoryEnd.forget()
            JobClock.start()
            let answer = answer(to: job, id: id, from: source)
            JobClock.stop()
            if source.isLibraryGone { return }
            if let confusion = source.confusion { throw confusion }
            connection.send(answer)
        }
    }

    private func answer(to job: MediaJob, id: UInt32, from source: ByteSource) -> ProgramMessage {
        do throws(Refusal) {
            let result = try self.result(of: job, from: source)
            // Decoders fill up what they didn't get: such a picture isn't the file's.
            if let refusal = source.refusal { throw refusal }
            return .done(id: id, result)
        } catch {
            // A decoder that got no bytes reports damage; the reason is that they could not be read.
            let refusal = source.refusal ?? error
            return .refused(id: id, refusal.reason, refusal.words)
        }
    }

    private func result(of job: MediaJob, from source: ByteSource) throws(Refusal) -> MediaResult {
        switch job {
        case .thumbnail(let job): .thumbnail(try ThumbnailMaker(job: job, source: source).make())
        case .properties(let job): .properties(try PropertyReaders.read(job, from: source))
        }
    }
}

/// Why a job can't be done, as the library will hear it.
struct Refusal: Error, Hashable {
    let reason: RefusalReason
    /// A sentence for whoever wanted it.
    let words: String

    init(_ reason: RefusalReason, _ words: String) {
        self.reason = reason
        self.words = words
    }
}
