/// An error that describes a published description that can't be read.
public struct DescriptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the file.
    public var file: String
    /// The line, from 1; 0 if the error concerns no line.
    public var line: Int
    /// The problem, as a sentence.
    public var sentence: String

    /// The error in words.
    public var description: String { line > 0 ? "\(file):\(line): \(sentence)" : "\(file): \(sentence)" }
}
