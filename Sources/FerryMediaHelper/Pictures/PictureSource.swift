import CVips
import Glibc

/// A file's bytes as libvips reads them.
///
/// It must live as long as any picture that is made of it.
final class PictureSource {
    let source: UnsafeMutablePointer<VipsSource>

    private let reader: Reader?
    private let callbacks: UnsafeMutablePointer<FerrySourceCallbacks>?

    /// Where libvips is in the file.
    ///
    /// It reads with one thread at a time.
    private final class Reader {
        let bytes: ByteSource
        var position: Int64 = 0

        init(_ bytes: ByteSource) {
            self.bytes = bytes
        }

        func read(into target: UnsafeMutableRawBufferPointer) -> Int64 {
            guard let count = try? bytes.read(at: position, into: target) else { return -1 }
            position += Int64(count)
            return Int64(count)
        }

        func seek(to offset: Int64, from whence: Int32) -> Int64 {
            let base =
                switch whence {
                case SEEK_SET: Int64(0)
                case SEEK_CUR: position
                default: bytes.size
                }
            let (target, overflow) = base.addingReportingOverflow(offset)
            guard !overflow, target >= 0 else { return -1 }
            position = target
            return target
        }
    }

    /// Makes a source.
    ///
    /// - Parameter bytes: The file's. What keeps them from being read, it remembers.
    init(_ bytes: ByteSource) {
        let reader = Reader(bytes)
        let callbacks = UnsafeMutablePointer<FerrySourceCallbacks>.allocate(capacity: 1)
        callbacks.initialize(
            to: FerrySourceCallbacks(
                read: { user, target, length in
                    guard let user, let target, length > 0 else { return 0 }
                    let space = UnsafeMutableRawBufferPointer(start: target, count: Int(length))
                    return gint64(Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue().read(into: space))
                },
                seek: { user, offset, whence in
                    guard let user else { return -1 }
                    let reader = Unmanaged<Reader>.fromOpaque(user).takeUnretainedValue()
                    return gint64(reader.seek(to: Int64(offset), from: whence))
                },
                user: Unmanaged.passUnretained(reader).toOpaque()
            )
        )
        source = ferry_vips_source_new(callbacks)
        self.reader = reader
        self.callbacks = callbacks
    }

    /// Makes a source of what is in memory.
    ///
    /// - Parameter bytes: They must live longer than it.
    init(_ bytes: UnsafeRawBufferPointer) {
        source = vips_source_new_from_memory(bytes.baseAddress, bytes.count)
        reader = nil
        callbacks = nil
    }

    deinit {
        ferry_g_object_unref(source)
        callbacks?.deallocate()
    }
}
