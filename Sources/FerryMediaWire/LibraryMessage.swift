/// A message from the library to the program.
package enum LibraryMessage: Sendable, Hashable {
    /// Do this. One at a time: the next follows the answer.
    case request(id: UInt32, MediaJob)
    /// The bytes that `ProgramMessage.read` asked for: fewer only where the file ends.
    case bytes(id: UInt32, offset: Int64, [UInt8])
    /// The bytes that were asked for can't be read. The job ends by a refusal.
    case failed(id: UInt32)
    /// The answer is no longer wanted. There is one nevertheless, whichever it is.
    case cancel(id: UInt32)

    /// Reads a message.
    ///
    /// - Parameter frame: Its kind and fields.
    /// - Throws: `WireError` for what is none.
    package init(frame: ArraySlice<UInt8>) throws(WireError) {
        var reader = WireReader(frame)
        let kind: UInt8 = try reader.number()
        let id: UInt32 = try reader.number()
        switch kind {
        case 1: self = .request(id: id, try MediaJob(from: &reader))
        case 2: self = .bytes(id: id, offset: try reader.number(), try reader.data())
        case 3: self = .failed(id: id)
        case 4: self = .cancel(id: id)
        default: throw WireError("no message has the kind \(kind)")
        }
        try reader.end()
    }

    /// The message as a frame, its length in front.
    package var frame: [UInt8] {
        var writer: WireWriter
        switch self {
        case .request(let id, let job):
            writer = WireWriter(kind: 1)
            writer.write(id)
            job.write(to: &writer)
        case .bytes(let id, let offset, let data):
            writer = WireWriter(kind: 2, capacity: data.count + 16)
            writer.write(id)
            writer.write(offset)
            writer.write(data)
        case .failed(let id):
            writer = WireWriter(kind: 3)
            writer.write(id)
        case .cancel(let id):
            writer = WireWriter(kind: 4)
            writer.write(id)
        }
        return writer.frame()
    }
}
