import FerryCore
import Foundation

extension Data {
    /// The text of a PEM file as every parser takes it, whichever system's editor wrote it: without a byte order mark, with
    /// `\n` at the end of each line and nothing before it; itself if it is no text.
    var tidyPEM: Data {
        guard let text = String(validating: self, as: UTF8.self) else { return self }
        let lines = text.withoutByteOrderMark.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return Data(lines.map { $0.trimmingCharacters(in: .whitespaces) + "\n" }.joined().utf8)
    }
}
