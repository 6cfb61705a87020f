import Foundation

/// The examples of a page, as a test compiles them: what stands there between `// begin` and `// end`.
public struct CompiledExamples: Sendable {
    /// The examples, in their order, without the test's indentation.
    public let texts: [String]

    private let file: URL

    /// Reads a test.
    ///
    /// - Parameter file: Its source.
    /// - Throws: Why it can't be read.
    public init(in file: String = #filePath) throws {
        self.file = URL(filePath: file)
        let indent = "        "
        texts = try String(contentsOf: self.file, encoding: .utf8).components(separatedBy: indent + "// begin\n")
            .dropFirst()
            .map { part in
                part.components(separatedBy: indent + "// end\n")[0].components(separatedBy: "\n")
                    .map { $0.hasPrefix(indent) ? String($0.dropFirst(indent.count)) : $0 }
                    .joined(separator: "\n")
            }
    }

    /// The examples that a page doesn't show as code, by themselves or after what they import.
    ///
    /// - Parameter page: The page, from the test's folder.
    /// - Returns: None, if all is well.
    /// - Throws: Why it can't be read.
    public func missing(from page: String) throws -> [String] {
        let text = try String(contentsOf: file.deletingLastPathComponent().appending(path: page), encoding: .utf8)
        let shown = text.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        return texts.filter { example in !shown.contains { $0.hasSuffix(example) } }
    }
}
