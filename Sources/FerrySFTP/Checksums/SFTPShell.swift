#if os(Linux) || os(macOS)
import FerryCore
import Foundation

/// The server's shell, where it has one: it works out checksums, so that no content need be transferred.
///
/// Its answer is taken for a file's only if it names the length that SFTP tells, too: a shell may see other files.
struct SFTPShell: Sendable {
    /// Programs that work out a checksum, by its kind: GNU's, and those of BSD and macOS.
    private static let programs: [(kind: ChecksumKind, commands: [String])] = [
        (.sha256, ["sha256sum", "shasum -a 256", "sha256 -r"]), (.sha1, ["sha1sum", "shasum", "sha1 -r"]),
        (.md5, ["md5sum", "md5 -r"]),
    ]

    /// Returns whether there is a program for a kind of checksum.
    static func knows(_ kind: ChecksumKind) -> Bool { programs.contains { $0.kind == kind } }

    /// The word that begins the answer of a shell; a server that allows SFTP only says something else, or nothing.
    private static let mark = "ferry-shell"

    let opener: SSHChannelOpener
    let pathOverride: String?

    /// The time between two signs that the shell still works.
    var signInterval: Duration = .seconds(5)

    /// Finds out what the shell can do.
    ///
    /// - Returns: The programs by their kinds, none where no shell answers; `nil` where the line broke.
    /// - Throws: `CancellationError`; why `ssh` can't be started.
    func explore() async throws -> SFTPShellFacts? {
        let tries = Self.programs.map { kind, commands in
            commands.map { command in
                let program = command.split(separator: " ")[0]
                return "command -v \(program) >/dev/null 2>&1 && echo '\(kind.rawValue)=\(command)'"
            }.joined(separator: " || ")
        }
        let script = "echo \(Self.mark); \(tries.joined(separator: "; ")); exit 0"
        // 255 is ssh's own: the command has not run.
        guard let output = try await opener.run("exec sh -c \(Self.quoted(script))"), output.exitCode != 255 else {
            return nil
        }
        guard output.exitCode == 0 else { return SFTPShellFacts() }
        var lines = String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        // A profile may print something before.
        guard let start = lines.firstIndex(of: Self.mark) else { return SFTPShellFacts() }
        lines.removeFirst(start + 1)
        let pairs = lines.compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return SFTPShellFacts(programs: Dictionary(pairs) { first, _ in first })
    }

    /// Works out a checksum.
    ///
    /// - Parameters:
    ///   - program: The program that does it.
    ///   - place: The file, as the shell knows it.
    ///   - digits: Hexadecimal digits of the checksum.
    /// - Returns: The checksum and the file's length; `nil` where the shell doesn't know the file.
    /// - Throws: `CancellationError`; why `ssh` can't be started.
    func checksum(
        by program: String,
        of place: SFTPPath,
        digits: Int
    ) async throws -> (String, length: Int64)? {
        guard let answer = try await ask("\(program) <\"$file\"", about: place), let line = answer.lines.first,
            answer.lines.count == 1
        else { return nil }
        let sum = line.prefix { $0.isHexDigit }.lowercased()
        return sum.utf8.count == digits ? (sum, answer.length) : nil
    }

    /// Bytes that are read at a time.
    private static let longestPiece: Int64 = 1 << 20

    /// Digits of a block's checksum that are told.
    private static let blockDigits = 32

    /// Works out the SHA-256 of each of a file's blocks.
    ///
    /// - Parameters:
    ///   - program: The program that does it.
    ///   - place: The file, as the shell knows it.
    ///   - ranges: Parts of the file, each of which begins at a multiple of `blockSize`.
    ///   - blockSize: Bytes of a block.
    /// - Returns: The first 32 digits of each checksum, and the file's length; `nil` where the shell doesn't know the file.
    /// - Throws: `CancellationError`; why `ssh` can't be started.
    func blockChecksums(
        by program: String,
        of place: SFTPPath,
        ranges: [Range<Int64>],
        blockSize: Int64
    ) async throws -> ([String], length: Int64)? {
        let blocks = ranges.map { range in
            (first: range.lowerBound / blockSize, end: (range.upperBound + blockSize - 1) / blockSize)
        }
        // A program that copies has memory for one piece; a block may have several.
        let piece = min(blockSize, Self.longestPiece)
        let pieces = blockSize / piece
        // The list comes by the standard input: a command line has room for so much.
        let loop = """
            while read -r i end; do while [ $i -lt $end ]; do \
            dd bs=\(piece) skip=$((i*\(pieces))) count=\(pieces) <"$file" 2>/dev/null | \(program) || exit; \
            i=$((i+1)); done; done | cut -c 1-\(Self.blockDigits)
            """
        let list = blocks.map { "\($0.first) \($0.end)\n" }.joined()
        let count = blocks.reduce(0) { $0 + Int($1.end - $1.first) }
        guard let answer = try await ask(loop, about: place, input: Array(list.utf8)), answer.lines.count == count,
            answer.lines.allSatisfy({ $0.utf8.count == Self.blockDigits && $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        return (answer.lines.map { $0.lowercased() }, answer.length)
    }

    /// Runs a command about a file, which it knows as `$file`.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - place: The file, as the shell knows it.
    ///   - input: The bytes that the command reads.
    /// - Returns: The lines of the answer, empty ones left out, and the file's length; `nil` where the shell doesn't know
    ///   the file, or has no such command.
    /// - Throws: `CancellationError`; why `ssh` can't be started.
    private func ask(
        _ command: String,
        about place: SFTPPath,
        input: [UInt8] = []
    ) async throws -> (lines: [String], length: Int64)? {
        let file = Self.quoted(String(decoding: place.bytes, as: UTF8.self))
        // POSIX knows whole seconds only.
        let seconds = signInterval / .seconds(1)
        let pause = seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
        // Empty lines while it works: a large file takes longer than a connection may be silent. They end when nobody
        // reads them any more, and before the answer, in the middle of whose lines they would come.
        let signs = "{ while sleep \(pause) </dev/null >/dev/null 2>&1 && echo; do :; done; } & signs=$!"
        let work = "answer=$(\(command) && wc -c <\"$file\"); result=$?; kill $signs; wait $signs 2>/dev/null"
        let script = "file=\(file); echo \(Self.mark); \(signs); \(work); printf '%s\\n' \"$answer\"; exit $result"
        // A name that is not UTF-8 would be another one by now.
        guard place.bytes.elementsEqual(String(decoding: place.bytes, as: UTF8.self).utf8),
            let output = try await opener.run("exec sh -c \(Self.quoted(script))", input: input), output.exitCode == 0
        else { return nil }
        var lines = String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(of: Self.mark),
            let length = lines.popLast().flatMap({ Int64($0.trimmingCharacters(in: .whitespaces)) })
        else { return nil }
        return (Array(lines.dropFirst(start + 1)), length)
    }

    /// Where the shell has a file.
    ///
    /// - Parameters:
    ///   - item: The file's path in the storage.
    ///   - place: Where SFTP has it.
    /// - Returns: The path.
    func path(of item: ItemPath, at place: SFTPPath) -> SFTPPath {
        guard let pathOverride else { return place }
        let names = item.components.map { NameEscape.bytes(ofName: $0) }
        if pathOverride.hasPrefix("@") { return SFTPPath(Array(pathOverride.utf8.dropFirst()) + place.bytes) }
        return names.reduce(SFTPPath(pathOverride.utf8)) { $0.appending($1) }
    }

    /// A text as one word of a shell.
    static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
#endif
