public import FerryCore
import Foundation

extension FTPFileProvider {
    /// The abilities of FTP, and those that the server has announced.
    ///
    /// A file is written to a temporary name that is then renamed. No server refuses a rename because the name is taken, so
    /// `overwrite: false` looks first, and somebody else can be quicker.
    public var capabilities: FileProviderCapabilities {
        let facts = server.known
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.writesAtomically = true
        capabilities.copiesOnServer = facts.copiesOnServer
        capabilities.setsModifiedDate = facts.dateSetting != nil
        // `LIST` says no time of day for what is older than half a year.
        capabilities.datePrecision = server.listsFacts ? .seconds(1) : .seconds(86_400)
        capabilities.isCaseSensitive = !facts.isWindows
        capabilities.listsDotNames = server.listsFacts || facts.knowsDashA != false && options.listsHidden != false
        capabilities.forbiddenCharacters = String(
            String.UnicodeScalarView((1..<32).compactMap { Unicode.Scalar($0) })
        )
        capabilities.recommendedConcurrency = min(8, pool.limit)
        return capabilities
    }
}

extension FTPServer {
    /// Indicates whether folders are listed by `MLSD`, whose facts leave nothing to guess.
    var listsFacts: Bool {
        guard !options.disablesMLSD else { return false }
        let facts = known
        return (facts.has("MLST") || facts.has("MLSD")) && !facts.unknownCommands.contains("MLSD")
    }

    /// Indicates whether one item can be asked for.
    var tellsFacts: Bool { listsFacts && !known.unknownCommands.contains("MLST") }
}

extension FTPServerFacts {
    /// How a file's date is set, as far as is known.
    enum DateSetting: Sendable, Hashable {
        /// `MFMT`, as the draft that all follow describes it.
        case mfmt
        /// `MDTM` with a date before the name, which is nobody's standard.
        case mdtm
    }

    /// How a file's date is set; `nil` where it can't be.
    var dateSetting: DateSetting? {
        if has("MFMT") { return .mfmt }
        return setsDatesByMDTM == true ? .mdtm : nil
    }

    /// Indicates whether files are copied without passing through here.
    var copiesOnServer: Bool { has("SITE COPY") || has("SITE CPFR") }

    /// The commands that tell checksums, by the kind that each tells.
    var checksumCommands: [ChecksumKind: String] {
        var commands: [ChecksumKind: String] = [:]
        for (command, kind) in [
            ("XCRC", ChecksumKind.crc32), ("XMD5", .md5), ("XSHA1", .sha1), ("XSHA", .sha1), ("XSHA256", .sha256),
        ] where has(command) { commands[kind] = command }
        if has("HASH") {
            for name in (features["HASH"] ?? "").split(separator: ";") {
                let name = name.uppercased().replacing("*", with: "")
                if let kind = Self.hashKinds[name] { commands[kind] = "HASH \(name)" }
            }
        }
        return commands
    }

    private static let hashKinds: [String: ChecksumKind] = [
        "CRC32": .crc32, "MD5": .md5, "SHA-1": .sha1, "SHA-256": .sha256,
    ]
}
