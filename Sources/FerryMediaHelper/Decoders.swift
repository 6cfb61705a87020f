import CAVFormat
import CVips
import Glibc

/// The libraries that decode, as they are set up for files that nobody vouches for.
enum Decoders {
    /// A decoder could not be set up.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Loaders that libvips itself doesn't vouch for, and that we want nevertheless: their libraries are well kept, and
    /// the sandbox holds the rest.
    private static let wanted = ["VipsForeignLoadSvg", "VipsForeignLoadPdf"]

    /// Formats that libvips does vouch for, and that nobody asks us for.
    private static let unwanted = ["VipsForeignLoadMatrix", "VipsForeignLoadMagick", "VipsForeignLoadOpenslide"]

    /// Loads and sets up what will be needed; afterwards nothing more can be loaded.
    ///
    /// - Throws: `Failure` if a library doesn't start.
    static func load() throws {
        // One program works on one file; whoever wants more at a time starts more of them.
        setenv("VIPS_CONCURRENCY", "1", 1)
        // Plugins that nobody needs here would be loaded too; those that are wanted follow below.
        let folder = moduleFolder
        setenv("VIPSHOME", "/nonexistent", 1)
        guard vips_init("ferry-media") == 0 else { throw Failure(description: "libvips: \(VipsWords.take())") }
        for module in ["vips-heif.so", "vips-poppler.so"] {
            if let folder { _ = g_module_open("\(folder)/\(module)", G_MODULE_BIND_LAZY) }
        }
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_block_untrusted_set(1)
        for name in wanted { vips_operation_block_set(name, 0) }
        for name in unwanted { vips_operation_block_set(name, 1) }
        av_log_set_level(AV_LOG_QUIET)
        // Messages that libraries print on their way are of use to nobody.
        g_log_set_default_handler({ _, _, _, _ in }, nil)
    }

    /// Where libvips keeps its modules: beside itself.
    ///
    /// Where it has none, all its loaders are inside of it.
    private static var moduleFolder: String? {
        guard let maps = fopen("/proc/self/maps", "r") else { return nil }
        defer { fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var space = 0
        defer { free(line) }
        while getline(&line, &space, maps) > 0, let line {
            let words = String(cString: line)
            guard let start = words.firstIndex(of: "/"), let end = words.range(of: "/libvips.so") else { continue }
            return "\(words[start..<end])/vips-modules-\(vips_version(0)).\(vips_version(1))"
        }
        return nil
    }
}

extension String {
    /// Where another text starts in this one.
    fileprivate func range(of text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
