import CVips
import FerryMediaWire

/// The words of libvips about its last failure.
enum VipsWords {
    /// Takes the words away, so that they aren't said of the next failure.
    ///
    /// - Returns: The first line.
    static func take() -> String {
        let words = String(cString: vips_error_buffer())
        vips_error_clear()
        return words.split(separator: "\n").first.map(String.init) ?? "it can't be decoded"
    }

    /// Returns what they mean for the job.
    static func refusal() -> Refusal {
        let words = take()
        let lower = words.lowercased()
        if lower.contains("out of range") || lower.contains("bad page number")
            || lower.contains("does not contain page")
        {
            return Refusal(.nothingThere, "there is no such page")
        }
        if lower.contains("encrypted") || lower.contains("password") {
            return Refusal(.locked, "it can't be opened without a password")
        }
        if lower.contains("out of memory") || lower.contains("too large") || lower.contains("too big") {
            return Refusal(.tooLarge, words)
        }
        return Refusal(.damaged, words)
    }
}
