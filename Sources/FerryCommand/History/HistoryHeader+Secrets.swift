extension HistoryHeader {
    /// Options whose value is nobody's business.
    private static let secretOptions = ["--lock-token"]

    /// The arguments as they may be written down.
    ///
    /// - Parameter arguments: As they were given.
    /// - Returns: The same with `…` in place of each secret.
    static func withoutSecrets(_ arguments: [String]) -> [String] {
        var isSecret = false
        return arguments.map { argument in
            defer { isSecret = secretOptions.contains(argument) }
            if isSecret { return "…" }
            let option = secretOptions.first { argument.hasPrefix($0 + "=") }
            return option.map { $0 + "=…" } ?? argument
        }
    }
}
