import CAVFormat

/// A file's bytes as libavformat reads them: it can open nothing else.
final class StreamInput {
    private static let bufferSize: Int32 = 32 << 10

    private let source: any PropertySource
    private var offset: Int64 = 0
    /// The error that kept bytes from being read.
    private(set) var error: (any Error)?
    private var context: UnsafeMutablePointer<AVIOContext>?

    init(_ source: any PropertySource) {
        self.source = source
    }

    deinit {
        guard let opened = context else { return }
        // It may have taken another buffer than it was given.
        av_freep(&opened.pointee.buffer)
        avio_context_free(&context)
    }

    /// Returns what libavformat reads from; it lives as long as this value.
    func open() throws -> UnsafeMutablePointer<AVIOContext> {
        if let context { return context }
        let buffer = av_malloc(Int(Self.bufferSize))?.assumingMemoryBound(to: UInt8.self)
        context = avio_alloc_context(
            buffer,
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            { this, target, count in
                guard let this, let target, count > 0 else { return ferry_averror_eof() }
                return Unmanaged<StreamInput>.fromOpaque(this).takeUnretainedValue().read(target, Int(count))
            },
            nil,
            { this, offset, whence in
                guard let this else { return -1 }
                return Unmanaged<StreamInput>.fromOpaque(this).takeUnretainedValue().seek(offset, whence)
            }
        )
        guard let context else {
            av_free(buffer)
            throw DamagedFile("there is no memory for reading it")
        }
        return context
    }

    private func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
        guard error == nil else { return ferry_averror_exit() }
        let count = Int(min(Int64(count), max(0, source.size - offset)))
        guard count > 0 else { return ferry_averror_eof() }
        do {
            let bytes = try source.read(at: offset, count: count).prefix(count)
            bytes.withUnsafeBufferPointer { bytes in
                if let start = bytes.baseAddress { target.update(from: start, count: bytes.count) }
            }
            offset += Int64(bytes.count)
            return bytes.isEmpty ? ferry_averror_eof() : Int32(bytes.count)
        } catch {
            self.error = error
            return ferry_averror_exit()
        }
    }

    private func seek(_ distance: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 { return source.size }
        let start: Int64? =
            switch whence & ~AVSEEK_FORCE {
            case 0: 0
            case 1: offset
            case 2: source.size
            default: nil
            }
        guard let start else { return -1 }
        let (place, isOver) = start.addingReportingOverflow(distance)
        guard !isOver, place >= 0 else { return -1 }
        offset = place
        return place
    }
}
