/// The known facts about a server: none at first, more with its answers.
package struct WebDAVServerFacts: Sendable, Hashable {
    /// Its host's name, in lower case.
    package var host: String?

    /// The `Server` field of its answers.
    package var software: String?

    /// The compliance classes of its `DAV` fields (RFC 4918 §10.1); `nil` until it was asked with `OPTIONS`.
    package var complianceClasses: Set<String>?

    /// The methods of its `Allow` fields; `nil` until it was asked with `OPTIONS`.
    package var allowedMethods: Set<String>?

    /// The facts learnt by trying; they go before what servers of its kind are known to do.
    package var tried = WebDAVTrial()

    /// Indicates whether it was tried out on purpose, so that ``tried`` is worth writing down.
    package var isTried = false

    /// Indicates whether it has refused to make anything in the base folder, when it was tried out.
    package var refusesWriting = false

    /// The server's own search; the inner `nil` is that it has none, the outer that nobody has asked.
    package var search: WebDAVSearchSupport??

    /// Indicates whether it has refused to list all below a folder at once.
    package var refusesTrees = false

    /// The way in which changes are found; `nil` until it was asked.
    package var tracking: WebDAVTracking?

    /// Other names by which the server calls itself in paths, such as that of a machine behind a proxy.
    ///
    /// Only paths are taken from its URLs: nothing is ever sent there.
    package var otherHosts: Set<String> = []

    package init() {}

    /// Indicates whether items can be locked: class 2 (RFC 4918 §18.2).
    ///
    /// `LOCK` among the methods proves nothing, since nginx names it also when it has no room for locks.
    package var hasLocks: Bool { complianceClasses?.contains("2") == true }
}

/// The facts learnt about a server by trying; `nil` where nobody has tried.
package struct WebDAVTrial: Sendable, Hashable {
    /// The way in which a `PUT` is made to depend on the file's absence.
    package var absenceCondition: WebDAVTraits.AbsenceCondition?

    /// The way in which a file gets a date that we choose.
    package var dateSetting: WebDAVTraits.DateSetting?

    /// Indicates whether `MKCOL` of a folder that exists is refused.
    package var refusesExistingFolders: Bool?

    /// Indicates whether an eTag can stay when a file changes twice in a second.
    package var hasCoarseETags: Bool?

    /// Indicates whether a part of a file came when only that was asked for.
    package var readsRanges: Bool?

    /// Indicates whether a `PUT` with a `Content-Range` changed a part of a file.
    package var takesRanges: Bool?

    /// Indicates whether `a` and `A` are two names.
    package var isCaseSensitive: Bool?

    /// Indicates whether composed and decomposed forms of a letter are two names.
    package var distinguishesNormalizationForms: Bool?

    /// Indicates whether names that begin with a dot are listed.
    package var listsDotNames: Bool?

    /// Indicates whether `MOVE` is refused, by the server or by a proxy before it.
    package var refusesMoves: Bool?

    package init() {}
}

extension WebDAVTrial {
    /// Reads what ``text`` has written; what it doesn't know is left out.
    ///
    /// - Parameter text: Names with values, spaces between them: `dates=win32 ranges=yes`.
    package init(_ text: String) {
        var values: [Substring: String] = [:]
        for word in text.split(separator: " ") {
            let sides = word.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { values[sides[0]] = String(sides[1]) }
        }
        func flag(_ name: Substring) -> Bool? {
            switch values[name] {
            case "yes": true
            case "no": false
            default: nil
            }
        }
        absenceCondition = values["absence"].flatMap { WebDAVTraits.AbsenceCondition(rawValue: $0) }
        dateSetting = values["dates"].flatMap { WebDAVTraits.DateSetting(rawValue: $0) }
        refusesExistingFolders = flag("refuses-folders")
        readsRanges = flag("ranges")
        isCaseSensitive = flag("case")
        distinguishesNormalizationForms = flag("forms")
        listsDotNames = flag("dot-names")
        refusesMoves = flag("refuses-moves")
    }

    /// The findings of ``WebDAVProbe``, as a configuration keeps them.
    package var text: String {
        func flag(_ value: Bool?) -> String? { value.map { $0 ? "yes" : "no" } }
        let values = [
            ("absence", absenceCondition?.rawValue), ("dates", dateSetting?.rawValue),
            ("refuses-folders", flag(refusesExistingFolders)), ("ranges", flag(readsRanges)),
            ("case", flag(isCaseSensitive)), ("forms", flag(distinguishesNormalizationForms)),
            ("dot-names", flag(listsDotNames)), ("refuses-moves", refusesMoves == true ? "yes" : nil),
        ]
        return values.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
    }
}
