public import Foundation

/// A query of Spotlight in the predicate-format language.
struct SpotlightTranslation {
    private typealias Token = SpotlightScanner.Token

    /// The query, with `%@` for texts and dates.
    private(set) var format = ""

    /// The arguments for each `%@`, in order.
    private(set) var arguments: [any FileQueryArgument] = []

    private var tokens: ArraySlice<(token: SpotlightScanner.Token, offset: Int)>
    private let time: SpotlightTime

    /// Translates a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - time: The meaning of its times.
    /// - Throws: A problem with its place in the query.
    init(_ query: String, _ time: SpotlightTime) throws(FileQueryProblem) {
        var scanner = SpotlightScanner(query)
        tokens = try scanner.tokens()[...]
        self.time = time
        while let (token, offset) = tokens.popFirst() {
            switch token {
            case .word("InRange"): try range(offset)
            case .word(let word): try comparison(word, offset)
            case .text(let text, _): add(text)
            case .time(let name, let argument): add(try date(name, argument, offset))
            case .other(let other): format += " \(other)"
            }
        }
    }

    private mutating func add(_ text: String) {
        add(String(text.map { $0 == SpotlightScanner.asterisk ? "*" : $0 }) as any FileQueryArgument)
    }

    private mutating func add(_ argument: any FileQueryArgument) {
        format += " %@"
        arguments.append(argument)
    }

    private func date(
        _ name: String,
        _ argument: String,
        _ offset: Int
    ) throws(FileQueryProblem) -> any FileQueryArgument {
        guard let date = time.date(name, argument) else {
            throw FileQueryProblem("'$time.\(name)(\(argument))' is no time", at: offset)
        }
        return date
    }

    // MARK: - Comparisons

    /// A word of the language, or a key with what it is compared with.
    private mutating func comparison(_ word: String, _ offset: Int) throws(FileQueryProblem) {
        guard case .other(let mark)? = tokens.first?.token, ["==", "=", "!=", "<>"].contains(mark),
            case .text(let text, let modifiers)? = tokens.dropFirst().first?.token
        else {
            format += " \(Self.keys[word] ?? word)"
            return
        }
        let place = tokens.dropFirst().first?.offset ?? offset
        tokens = tokens.dropFirst(2)
        let isNegated = mark == "!=" || mark == "<>"
        if isNegated { format += " NOT (" }
        if let kinds = Self.typeKeys.contains(word) ? SpotlightType(text) : nil {
            format += " \(kinds.condition)"
        } else if Self.typeKeys.contains(word), !text.contains("/") {
            throw FileQueryProblem(
                "the type '\(text)' is not known",
                suggestion: "use a media type, such as \"image/png\"",
                at: place
            )
        } else {
            try compare(Self.keys[word] ?? word, with: text, modifiers, place)
        }
        if isNegated { format += " )" }
    }

    private mutating func compare(
        _ key: String,
        with text: String,
        _ modifiers: String,
        _ offset: Int
    ) throws(FileQueryProblem) {
        guard modifiers.allSatisfy({ "cdwt".contains($0) }) else {
            throw FileQueryProblem("'\(modifiers)' can't follow a text", suggestion: "use c, d and w", at: offset)
        }
        let options = String(modifiers.filter { $0 == "c" || $0 == "d" })
        let bracketed = options.isEmpty ? "" : "[\(options)]"
        if modifiers.contains("w") {
            format += " \(key) MATCHES\(bracketed)"
            add(Self.wordPattern(text))
        } else if text.contains("*") {
            format += " \(key) LIKE\(bracketed)"
            add(Self.likePattern(text) as any FileQueryArgument)
        } else {
            format += " \(key) ==\(bracketed)"
            add(text)
        }
    }

    /// `InRange(key, least, most)`, both ends included.
    private mutating func range(_ offset: Int) throws(FileQueryProblem) {
        var parts: [[(token: Token, offset: Int)]] = [[]]
        guard tokens.popFirst()?.token == .other("(") else { throw FileQueryProblem("expected '('", at: offset) }
        while let next = tokens.popFirst(), next.token != .other(")") {
            if next.token == .other(",") { parts.append([]) } else { parts[parts.count - 1].append(next) }
        }
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), case .word(let key) = parts[0][0].token else {
            throw FileQueryProblem("InRange needs a key and two values", at: offset)
        }
        let name = Self.keys[key] ?? key
        format += " ("
        for (operation, value) in [(">=", parts[1]), ("AND \(name) <=", parts[2])] {
            format += operation == ">=" ? " \(name) >=" : " \(operation)"
            for (token, place) in value {
                switch token {
                case .word(let word): format += " \(word)"
                case .text(let text, _): add(text)
                case .time(let name, let argument): add(try date(name, argument, place))
                case .other(let other): format += other == "-" ? " -" : format.hasSuffix("-") ? other : " \(other)"
                }
            }
        }
        format += " )"
    }

    // MARK: - Patterns

    /// A pattern of `LIKE`: of Spotlight's, only the asterisk is special.
    private static func likePattern(_ text: String) -> String {
        text.reduce(into: "") { pattern, character in
            switch character {
            case SpotlightScanner.asterisk: pattern += "\\*"
            case "?", "\\": pattern += "\\\(character)"
            default: pattern.append(character)
            }
        }
    }

    /// A regular expression for texts that have the words in them.
    private static func wordPattern(_ text: String) -> String {
        let words = text.reduce(into: "") { pattern, character in
            switch character {
            case "*": pattern += #"\w*"#
            case SpotlightScanner.asterisk: pattern += #"\*"#
            case _ where character.isLetter || character.isNumber || character == " ": pattern.append(character)
            default: pattern += "\\\(character)"
            }
        }
        return #"(?s).*\b"# + words + #"\b.*"#
    }

    private static let typeKeys: Set<String> = ["kMDItemContentType", "kMDItemContentTypeTree"]

    /// Keys whose names and meanings are Spotlight's alone; others the query's own reader knows.
    private static let keys = [
        "kMDItemDisplayName": "name", "kMDItemFSInvisible": "isHidden", "kMDItemFSIsWriteable": "isWritable",
        "kMDItemFSNodeCount": "childCount", "kMDItemLastUsedDate": "accessedDate",
        "kMDItemContentTypeTree": "contentType", "kMDItemLogicalSize": "fileSize",
        "kMDItemPhysicalSize": "allocatedSize",
    ]
}

extension FileQuery {
    /// Reads a query of Spotlight, as `mdfind` and `NSMetadataQuery` take it.
    ///
    /// ```swift
    /// let query = try FileQuery(fromSpotlight: #"kMDItemFSName == "*.pdf"cd && kMDItemFSSize > 100000"#)
    /// ```
    ///
    /// - Keys: those of files (`kMDItemFSName`, `kMDItemDisplayName`, `kMDItemFSSize`, `kMDItemContentModificationDate`
    ///   …, see ``Attribute/keys``), and `kMDItemContentType` and `kMDItemContentTypeTree` with the uniform type
    ///   identifiers of common kinds of files (`public.image`, `com.adobe.pdf`), which become media types.
    /// - `*` in a text stands for any characters, after a backslash for itself. After a text, `c` ignores case, `d`
    ///   diacritics, and `w` compares with whole words.
    /// - `InRange(key, least, most)`, `$time.now(seconds)`, `$time.today(days)`, `$time.yesterday`,
    ///   `$time.this_week(n)`, `$time.this_month(n)`, `$time.this_year(n)` and `$time.iso(date)`.
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

/// The moments that `$time` means in a query of Spotlight.
struct SpotlightTime {
    let now: Date
    let calendar: Calendar

    /// Finds a moment.
    ///
    /// - Parameters:
    ///   - name: The name after `$time.`: `now`, `today`, `this_week` …
    ///   - argument: The text in parentheses after it; empty if there is none.
    /// - Returns: The moment; `nil` for an unknown name, or an argument that is none.
    func date(_ name: String, _ argument: String) -> Date? {
        if name == "iso" { return Date(iso8601: argument) }
        guard let count = argument.isEmpty ? 0 : Int(argument) else { return nil }
        return switch name {
        case "now": now.addingTimeInterval(Double(count))
        case "today": start(of: .day, count)
        case "yesterday": start(of: .day, count - 1)
        case "tomorrow": start(of: .day, count + 1)
        case "this_week": start(of: .weekOfYear, count)
        case "this_month": start(of: .month, count)
        case "this_year": start(of: .year, count)
        default: nil
        }
    }

    private func start(of component: Calendar.Component, _ count: Int) -> Date? {
        calendar.dateInterval(of: component, for: now)
            .flatMap { calendar.date(byAdding: component, value: count, to: $0.start) }
    }
}

/// A uniform type identifier as a condition on what storages tell.
struct SpotlightType {
    /// The condition, in the predicate-format language.
    let condition: String

    /// Finds the condition.
    ///
    /// - Parameter identifier: The type: `public.image`. `nil` if it is not known.
    init?(_ identifier: String) {
        if let media = Self.mediaTypes[identifier] {
            condition = media.hasSuffix("/") ? "contentType BEGINSWITH '\(media)'" : "contentType == '\(media)'"
        } else if let other = Self.kinds[identifier] {
            condition = other
        } else {
            return nil
        }
    }

    private static let kinds = [
        "public.folder": "isDirectory == TRUE", "public.directory": "isDirectory == TRUE",
        "public.symlink": "isSymbolicLink == TRUE", "public.item": "TRUEPREDICATE",
        "public.content": "isRegularFile == TRUE", "public.data": "isRegularFile == TRUE",
    ]

    private static let mediaTypes = [
        "public.image": "image/", "public.movie": "video/", "public.video": "video/", "public.audio": "audio/",
        "public.text": "text/", "public.plain-text": "text/plain", "public.html": "text/html",
        "public.xml": "application/xml", "public.json": "application/json", "public.jpeg": "image/jpeg",
        "public.png": "image/png", "public.tiff": "image/tiff", "public.heic": "image/heic",
        "com.compuserve.gif": "image/gif", "org.webmproject.webp": "image/webp", "com.adobe.pdf": "application/pdf",
        "public.zip-archive": "application/zip", "public.mp3": "audio/mpeg", "public.mpeg-4": "video/mp4",
        "com.apple.quicktime-movie": "video/quicktime", "public.rtf": "application/rtf",
        "public.comma-separated-values-text": "text/csv",
    ]
}
