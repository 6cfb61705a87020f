extension ConformanceCheck {
    /// All rules, group by group.
    public static let all: [ConformanceCheck] = [
        properties, errors, situations, names, sizes, ranges, paging, streams,
    ].flatMap(\.self)
}
