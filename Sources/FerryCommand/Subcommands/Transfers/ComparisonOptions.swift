import ArgumentParser
import FerryTransfer

/// The rule by which two files are the same.
struct ComparisonOptions: ParsableArguments {
    @Flag(help: "Compare checksums, or contents on this machine; else copy.")
    var checksum = false

    @Flag(help: "Compare sizes only.")
    var sizeOnly = false

    @Flag(help: "Compare nothing: copy every file.")
    var ignoreTimes = false

    @Flag(name: .shortAndLong, help: "Leave files alone that are newer at the target.")
    var update = false

    func validate() throws {
        if [checksum, sizeOnly, ignoreTimes].count(where: { $0 }) > 1 {
            throw ValidationError("give one of --checksum, --size-only and --ignore-times")
        }
    }

    /// Indicates whether any of it was asked for.
    var isGiven: Bool { rule != nil || update }

    /// The rule that was asked for; `nil` if none was.
    var rule: ComparisonRule? {
        checksum ? .checksum : sizeOnly ? .size : ignoreTimes ? .nothing : nil
    }

    /// Puts it into a transfer's options.
    func apply(to options: inout TransferOptions) {
        if let rule { options.comparison = rule }
        options.keepsNewer = update
    }
}
