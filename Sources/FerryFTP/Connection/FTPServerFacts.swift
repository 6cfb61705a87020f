/// The known facts about a server: its announced features, and findings.
struct FTPServerFacts: Sendable, Hashable {
    /// Indicates whether it was asked already.
    var isKnown = false

    /// The features of its answer to `FEAT` (RFC 2389), in upper case, with what stands behind each.
    var features: [String: String] = [:]

    /// The first words of a connection, in which many servers say which program they are.
    var greeting = ""

    /// Its answer to `SYST`, such as `UNIX Type: L8`.
    var system = ""

    /// The folder in which a login begins.
    var entryPath: [UInt8] = []

    /// Indicates whether `LIST -a` shows all items; `nil` as long as nobody has tried.
    var knowsDashA: Bool?

    /// Seconds that the dates of `LIST` are ahead of UTC; `nil` as long as none was compared with `MDTM`.
    var clockOffset: Int?

    /// Indicates whether `MLSD` lists the folder itself, too (RFC 3659 §7.5.1); `nil` as long as no listing had it.
    var listsItself: Bool?

    /// Commands that were refused as unknown although, or before, `FEAT` said anything of them.
    var unknownCommands: Set<String> = []

    /// Indicates whether a rename puts a file in the place of another; `nil` as long as nobody has tried.
    var renamesOver: Bool?

    /// Indicates whether `MDTM` sets dates when one stands before the name; `nil` as long as nobody has tried.
    var setsDatesByMDTM: Bool?

    /// Returns whether the server has a feature.
    func has(_ feature: String) -> Bool { features[feature] != nil && !unknownCommands.contains(feature) }

    /// Reads the answer to `FEAT`.
    ///
    /// - Parameter reply: The reply; a refusal says that there are no features.
    mutating func learn(features reply: FTPReply) {
        guard reply.isSuccess else { return }
        for line in reply.lines.dropFirst().dropLast() {
            let text = String(decoding: line, as: UTF8.self).trimmingSpaces
            let words = text.split(separator: " ", maxSplits: 1)
            guard let name = words.first else { continue }
            let rest = words.count > 1 ? String(words[1]) : ""
            // `SITE COPY` and the like are features of their own.
            if name.uppercased() == "SITE" {
                for word in rest.uppercased().split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "," }) {
                    features["SITE \(word)"] = ""
                }
            }
            features[name.uppercased(), default: ""] += rest
        }
    }

    /// Indicates whether it is Pure-FTPd; nobody else lists `sizd`.
    ///
    /// It takes the space at a name's end for an underscore, and puts what it has of an upload that broke under its name a
    /// moment later.
    var isPureFTPd: Bool { greeting.contains("Pure-FTPd") || features["MLST"]?.contains("sizd") == true }

    /// Indicates whether it is a Windows server, to which `a` and `A` are one name.
    var isWindows: Bool { system.lowercased().contains("windows") }
}
