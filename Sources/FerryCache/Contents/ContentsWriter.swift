import NIOCore

/// Keeps contents as they come.
///
/// Once something has changed about the item, or the disk is full, it drops what it gets.
final class ContentsWriter: Sendable {
    private let target: any ContentsTarget

    init(_ target: any ContentsTarget) {
        self.target = target
    }

    /// Keeps some bytes; it waits only while much is waiting to be written.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: Where they are in the content.
    func write(_ bytes: ByteBuffer, at offset: Int64) async {
        if bytes.readableBytes > 0 { await target.write(bytes, at: offset) }
    }

    /// Waits until all is kept; to be called once, after the last byte, however many there were.
    ///
    /// - Parameter length: Bytes of the whole content, if that is known only now.
    func finish(length: Int64? = nil) async {
        await target.finish(length: length)
    }
}

/// Where kept contents go.
protocol ContentsTarget: Sendable {
    /// Keeps some bytes.
    func write(_ bytes: ByteBuffer, at offset: Int64) async
    /// There are no more.
    func finish(length: Int64?) async
}
