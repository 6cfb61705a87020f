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
