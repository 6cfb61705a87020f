/// The answer of a terminal that is asked what it can show.
struct TerminalAnswer: Sendable, Hashable {
    /// Indicates whether it draws pictures as kitty does.
    var hasKittyGraphics = false
    /// Indicates whether it draws sixels.
    var hasSixels = false
    /// Pixels of a character's cell, from left to right and from top to bottom; `nil` if not told.
    var cell: PixelSize?

    /// The question: a picture of one pixel that is not to be shown, how large a cell is, and what kind of terminal it is,
    /// which all answer, and last.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

    /// Reads what came; `nil` as long as the last answer is not there.
    ///
    /// - Parameter bytes: Answers, and maybe what a person typed meanwhile.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var isComplete = false
        hasKittyGraphics = text.contains("\u{1B}_Gi=31;OK\u{1B}\\")
        for sequence in text.components(after: "\u{1B}[") {
            let digits = sequence.prefix { $0.isASCII && ($0.isNumber || $0 == ";" || $0 == "?") }
            let numbers = digits.drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
            switch sequence.dropFirst(digits.count).first {
            case "c" where digits.first == "?":
                isComplete = true
                hasSixels = numbers.dropFirst().contains(4)
            case "t" where numbers.count == 3 && numbers[0] == 6:
                cell = PixelSize(width: numbers[2], height: numbers[1]).credible
            default: continue
            }
        }
        guard isComplete else { return nil }
    }
}

/// Pixels from left to right, and from top to bottom.
struct PixelSize: Sendable, Hashable {
    var width: Int
    var height: Int

    /// The usual size of a terminal's cell: half as wide as high.
    static let usualCell = PixelSize(width: 8, height: 16)

    /// The size, if a cell can have it.
    var credible: PixelSize? {
        (2...256).contains(width) && (2...512).contains(height) ? self : nil
    }
}

extension String {
    /// Returns what follows each place where a text stands.
    fileprivate func components(after separator: String) -> [Substring] {
        Array(self[...].split(separator: separator, omittingEmptySubsequences: false).dropFirst())
    }
}
