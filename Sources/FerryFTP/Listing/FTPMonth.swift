import Foundation

/// Months as servers of several countries write them in listings.
enum FTPMonth {
    private static let names: [[String]] = [
        // English, German, French, Spanish and Portuguese, Italian, Dutch, Scandinavian, Polish: by their beginnings.
        ["jan", "jän", "janv", "ene", "gen", "sty", "jaan"],
        ["feb", "fév", "fev", "févr", "lut", "fevr", "veeb"],
        ["mar", "mär", "mrz", "mars", "mrt", "maart", "märz", "marz"],
        ["apr", "avr", "abr", "kwi", "avril"],
        ["may", "mai", "mag", "mei", "maj", "maí", "mayo"],
        ["jun", "juin", "giu", "cze", "juni", "júní"],
        ["jul", "juil", "lug", "lip", "juli", "júlí"],
        ["aug", "aoû", "août", "aou", "aout", "ago", "sie", "ágú"],
        ["sep", "set", "sept", "wrz"],
        ["oct", "okt", "out", "ott", "paź", "paz"],
        ["nov", "lis", "nóv"],
        ["dec", "dez", "déc", "dic", "gru", "des"],
    ]

    private static let numbers: [String: Int] = {
        var numbers: [String: Int] = [:]
        for (index, names) in names.enumerated() { for name in names { numbers[name] = index + 1 } }
        return numbers
    }()

    /// The month that a word names.
    ///
    /// - Parameter word: `Jan`, `janv.`, `März`, `1月` …
    /// - Returns: 1…12; `nil` for any other word.
    static func number(_ word: String) -> Int? {
        let word = word.lowercased()
        if word.hasSuffix("月") || word.hasSuffix("월"), let number = Int(word.dropLast()) {
            return 1...12 ~= number ? number : nil
        }
        let letters = word.hasSuffix(".") ? String(word.dropLast()) : word
        return numbers[letters.precomposedStringWithCanonicalMapping]
    }

    /// The day of the month that a word names: `26`, `26.`, `26日`.
    static func day(_ word: String) -> Int? {
        let digits = word.hasSuffix("日") || word.hasSuffix("일") || word.hasSuffix(".") ? String(word.dropLast()) : word
        guard digits.utf8.count <= 2, let day = Int(digits) else { return nil }
        return 1...31 ~= day ? day : nil
    }
}
