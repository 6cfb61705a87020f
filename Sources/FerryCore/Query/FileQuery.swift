public struct FileQuery: Sendable, Hashable {
    public static let all = FileQuery(namePrefix: "")
    let prefix: String
    public init(namePrefix: String) { prefix = namePrefix }
    public func matches(_ file: FileObject) -> Bool { file.name.hasPrefix(prefix) }
}
public struct FileQueryPlan: Sendable, Hashable {
    public let pushed: FileQuery
    public let remainder: FileQuery
    public init(pushed: FileQuery, remainder: FileQuery) { self.pushed = pushed; self.remainder = remainder }
}
