import CPoppler
import CVips

/// A file's bytes as a stream of GLib's, which poppler reads from: it can open nothing else.
final class PDFInput {
    /// The source below the stream: libvips has sources whose bytes come by calls, and GLib none.
    private let vipsSource: UnsafeMutablePointer<VipsSource>
    private let callbacks: UnsafeMutablePointer<FerrySourceCallbacks>
    private let reader: Reader

    /// Where poppler is in the file.
    private final class Reader {
        let source: any PropertySource
        var offset: Int64 = 0
        var error: (any Error)?

        init(_ source: any PropertySource) {
            self.source = source
        }

        func read(into target: UnsafeMutableRawBufferPointer) -> Int64 {
            let count = Int(min(Int64(target.count), max(0, source.size - offset)))
            guard error == nil, count > 0 else { return error == nil ? 0 : -1 }
            do {
                let bytes = try source.read(at: offset, count: count).prefix(count)
                target.copyBytes(from: bytes)
                offset += Int64(bytes.count)
                return Int64(bytes.count)
            } catch {
                self.error = error
                return -1
            }
        }

        func seek(_ distance: Int64, _ whence: Int32) -> Int64 {
            let start = [0, offset, source.size][Int(min(max(whence, 0), 2))]
            let (place, isOver) = start.addingReportingOverflow(distance)
            guard !isOver, place >= 0 else { return -1 }
            offset = place
            return place
        }
    }

    /// Makes a value.
    ///
    /// - Parameter source: The file's bytes.
    /// - Throws: ``DamagedFile`` where libvips can't be started.
    init(_ source: any PropertySource) throws {
        guard vips_init("ferry-media") == 0 else { throw DamagedFile("libvips can't be started") }
        reader = Reader(source)
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(
            to: FerrySourceCallbacks(
                read: { reader, target, count in
                    guard let reader, let target, count > 0 else { return 0 }
                    let space = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
                    return gint64(Unmanaged<Reader>.fromOpaque(reader).takeUnretainedValue().read(into: space))
                },
                seek: { reader, distance, whence in
                    guard let reader else { return -1 }
                    let place = Unmanaged<Reader>.fromOpaque(reader).takeUnretainedValue().seek(Int64(distance), whence)
                    return gint64(place)
                },
                user: Unmanaged.passUnretained(reader).toOpaque()
            )
        )
        vipsSource = ferry_vips_source_new(callbacks)
    }

    deinit {
        ferry_g_object_unref(vipsSource)
        callbacks.deallocate()
    }

    /// The error that kept bytes from being read.
    var error: (any Error)? { reader.error }

    /// A new stream, which the caller releases; it must not outlive this value.
    func stream() -> UnsafeMutablePointer<GInputStream>? { vips_g_input_stream_new_from_source(vipsSource) }
}
