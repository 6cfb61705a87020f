#if !canImport(Darwin)
extension Turn {
    /// Nobody coordinates files here: it is always our turn.
    func take<Result>(_ body: () throws -> Result) throws -> Result {
        try body()
    }
}
#endif
