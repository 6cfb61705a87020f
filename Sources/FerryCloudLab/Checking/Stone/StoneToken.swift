/// A word or sign of a description in the Stone language.
struct StoneToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A name, or a keyword; names of operations have slashes inside.
        case name(String)
        /// A text in quotation marks, without them.
        case text(String)
        /// A number as it is written.
        case number(String)
        case symbol(Character)
        /// The end of a line that is no part of a text and not inside parentheses.
        case newline
        /// The beginning of a deeper block.
        case indent
        /// The end of a block.
        case dedent
        case end
    }

    var kind: Kind
    /// The line, from 1.
    var line: Int
}
