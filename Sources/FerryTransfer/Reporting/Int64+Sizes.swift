extension Int64 {
    /// The sum of two numbers of bytes, or the nearest that can be: sizes are what storages say, and these may say anything.
    func adding(_ other: Int64) -> Int64 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? (other < 0 ? 0 : .max) : Swift.max(0, sum)
    }
}
