public import Foundation

extension FileQuery {
    /// Reads a query of Spotlight, as `mdfind` and `NSMetadataQuery` take it.
    ///
    /// ```swift
    /// let query = try FileQuery(fromSpotlight: #"kMDItemFSName == "*.pdf"cd && kMDItemFSSize > 100000"#)
    /// ```
    ///
    /// - Keys: those of files (`kMDItemFSName`, `kMDItemDisplayName`, `kMDItemFSSize`, `kMDItemContentModificationDate` …,
    ///   see ``Attribute/keys``), and `kMDItemContentType` and `kMDItemContentTypeTree` with the uniform type identifiers of
    ///   common kinds of files (`public.image`, `com.adobe.pdf`), which become media types.
    /// - `*` in a text stands for any characters, after a backslash for itself. After a text, `c` ignores case, `d`
    ///   diacritics, and `w` compares with whole words.
    /// - `InRange(key, least, most)`, `$time.now(seconds)`, `$time.today(days)`, `$time.yesterday`, `$time.this_week(n)`,
    ///   `$time.this_month(n)`, `$time.this_year(n)` and `$time.iso(date)`.
    ///
    /// - Parameters:
    ///   - query: The query; a predicate's format with Spotlight's keys is one, too.
    ///   - now: The moment that times count from.
    ///   - calendar: The calendar and time zone that tell where days, weeks, months and years begin.
    /// - Throws: `CocoaError.formatting` for anything else, such as keys of what files hold (`kMDItemTextContent`).
    public init(fromSpotlight query: String, now: Date = Date(), calendar: Calendar = .current) throws {
        let translation: SpotlightTranslation
        do {
            translation = try SpotlightTranslation(query, SpotlightTime(now: now, calendar: calendar))
        } catch {
            throw CocoaError.malformedQuery(error, in: query)
        }
        try self.init(parsing: translation.format, arguments: translation.arguments)
    }
}
