import FerryCore
import Foundation

/// The document that asks a server to search (RFC 5323 §5), for as much of a query as servers do as we mean it.
///
/// A server may find more than the query means, never less; what it finds is looked at again. So only those comparisons
/// are left to it that can be widened safely: its text tests ignore case in ways of their own, its `NOT` and `!=` leave
/// out what is unknown.
struct WebDAVSearchRequest {
    /// Which comparisons a server can do for us.
    static func plan(for query: FileQuery) -> FileQueryPlan {
        FileQueryPlan(query, allowsOr: true, allowsNot: false) { condition($0) != nil }
    }

    /// The document.
    ///
    /// - Parameters:
    ///   - query: The server's part of a plan.
    ///   - scope: The folder, as the server calls it in scopes, percent-encoded.
    ///   - isRecursive: `true` to look into the folders below.
    ///   - names: The properties to tell of each item found.
    /// - Returns: XML; `nil` if there is nothing that the server could look for.
    static func document(
        _ query: FileQuery,
        scope: String,
        isRecursive: Bool,
        names: [WebDAVPropertyName]
    ) -> String? {
        guard let conditions = condition(query.normalized.root) else { return nil }
        return """
            <?xml version="1.0" encoding="utf-8"?><d:searchrequest xmlns:d="DAV:"><d:basicsearch>\
            <d:select>\(WebDAVPropertyRequest.prop(names))</d:select>\
            <d:from><d:scope><d:href>\(scope.xmlEscaped)</d:href>\
            <d:depth>\(isRecursive ? "infinity" : "1")</d:depth></d:scope></d:from>\
            <d:where>\(conditions)</d:where></d:basicsearch></d:searchrequest>
            """
    }

    private static func condition(_ node: FileQuery.Node) -> String? {
        switch node {
        case .constant, .not: return nil
        case .comparison(let comparison): return condition(comparison)
        case .and(let nodes): return joined(nodes, "and")
        case .or(let nodes): return joined(nodes, "or")
        }
    }

    /// Two at a time, as some servers take no more.
    private static func joined(_ nodes: [FileQuery.Node], _ element: String) -> String? {
        var conditions: [String] = []
        for node in nodes {
            guard let condition = condition(node) else { return nil }
            conditions.append(condition)
        }
        guard var all = conditions.popLast() else { return nil }
        for condition in conditions.reversed() { all = "<d:\(element)>\(condition)\(all)</d:\(element)>" }
        return all
    }

    private static func condition(_ comparison: FileQuery.Comparison) -> String? {
        switch comparison.attribute {
        case .name: text(comparison, "displayname")
        case .contentType: text(comparison, "getcontenttype")
        case .size: number(comparison)
        case .modifiedDate: date(comparison)
        case .isDirectory:
            comparison.operation == .equal && comparison.value == .bool(true) ? "<d:is-collection/>" : nil
        case .type:
            comparison.operation == .equal && comparison.value == .text("directory") ? "<d:is-collection/>" : nil
        default: nil
        }
    }

    private static func test(_ element: String, _ property: String, _ literal: String) -> String {
        """
        <d:\(element)><d:prop><d:\(property)/></d:prop><d:literal>\(literal.xmlEscaped)</d:literal></d:\(element)>
        """
    }
}

// MARK: - Text

extension WebDAVSearchRequest {
    private static func text(_ comparison: FileQuery.Comparison, _ property: String) -> String? {
        // No server knows what we mean by letters without their accents.
        guard !comparison.options.contains(.diacriticInsensitive) else { return nil }
        let ignoresCase = comparison.options.contains(.caseInsensitive)
        if comparison.operation == .isIn, case .list(let values) = comparison.value {
            var tests: [String] = []
            for value in values {
                guard case .text(let text) = value, let pattern = pattern(text, ignoresCase: ignoresCase) else {
                    return nil
                }
                tests.append(test("like", property, pattern))
            }
            guard var all = tests.popLast() else { return nil }
            for test in tests.reversed() { all = "<d:or>\(test)\(all)</d:or>" }
            return all
        }
        guard case .text(let text) = comparison.value else { return nil }
        let core: String? =
            comparison.operation == .like
            ? wildcards(text, ignoresCase: ignoresCase) : pattern(text, ignoresCase: ignoresCase)
        guard let core else { return nil }
        switch comparison.operation {
        case .equal, .like: return test("like", property, core)
        case .contains: return test("like", property, "%\(core)%")
        case .beginsWith: return test("like", property, "\(core)%")
        case .endsWith: return test("like", property, "%\(core)")
        default: return nil
        }
    }

    /// A pattern (RFC 5323 §5.12) that every text fits that is meant, and as few others as can be.
    ///
    /// `%` is any text and `_` any character. What has a meaning in patterns is met by `_`: servers differ in how they
    /// have it escaped. Beyond ASCII, servers differ in what they take for the same letter, too; and `k` and `s` have
    /// capitals there.
    private static func pattern(_ text: String, ignoresCase: Bool) -> String? {
        var pattern = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%", "_", "\\": pattern += "_"
            case "k", "K", "s", "S": pattern += ignoresCase ? "%" : String(scalar)
            case " "..."~": pattern.unicodeScalars.append(scalar)
            default: pattern += "%"
            }
        }
        // A pattern that everything fits is not worth asking for.
        return pattern.contains { $0 != "%" && $0 != "_" } ? pattern : nil
    }

    /// The same of a pattern of ours, where `*` is any text and `?` any character, which can have several scalars.
    private static func wildcards(_ text: String, ignoresCase: Bool) -> String? {
        var plain = ""
        var parts: [String?] = []
        var isEscaped = false
        for character in text {
            if !isEscaped, character == "*" || character == "?" {
                parts.append(plain)
                parts.append(nil)
                plain = ""
            } else if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            } else {
                plain.append(character)
            }
            isEscaped = false
        }
        parts.append(isEscaped ? plain + "\\" : plain)
        var whole = ""
        var hasText = false
        for part in parts {
            guard let part else {
                whole += "%"
                continue
            }
            if let pattern = pattern(part, ignoresCase: ignoresCase) {
                whole += pattern
                hasText = true
            } else if !part.isEmpty {
                whole += "%"
            }
        }
        return hasText ? whole : nil
    }
}

// MARK: - Numbers and dates

extension WebDAVSearchRequest {
    private static func number(_ comparison: FileQuery.Comparison) -> String? {
        func bound(_ element: String, _ value: FileQuery.Value) -> String? {
            guard case .integer(let number) = value else { return nil }
            return test(element, "getcontentlength", String(number))
        }
        return range(comparison, lower: { bound($1 ? "gt" : "gte", $0) }, upper: { bound($1 ? "lt" : "lte", $0) })
    }

    /// Bounds are rounded outwards to whole seconds, which is what servers have.
    private static func date(_ comparison: FileQuery.Comparison) -> String? {
        func bound(_ element: String, _ value: FileQuery.Value, _ rounding: FloatingPointRoundingRule) -> String? {
            guard case .date(let date) = value else { return nil }
            let whole = Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(rounding))
            guard let text = whole.iso8601, text.utf8.count == 20 else { return nil }
            return test(element, "getlastmodified", text.dropLast() + "+00:00")
        }
        return range(comparison, lower: { value, _ in bound("gte", value, .down) }) { value, _ in
            bound("lte", value, .up)
        }
    }

    private static func range(
        _ comparison: FileQuery.Comparison,
        lower: (FileQuery.Value, _ isOpen: Bool) -> String?,
        upper: (FileQuery.Value, _ isOpen: Bool) -> String?
    ) -> String? {
        switch (comparison.operation, comparison.value) {
        case (.greater, let value): return lower(value, true)
        case (.greaterOrEqual, let value): return lower(value, false)
        case (.less, let value): return upper(value, true)
        case (.lessOrEqual, let value): return upper(value, false)
        case (.between, .range(let first, let last)):
            guard let first = lower(first, false), let last = upper(last, false) else { return nil }
            return "<d:and>\(first)\(last)</d:and>"
        case (.equal, let value):
            guard let first = lower(value, false), let last = upper(value, false) else { return nil }
            return "<d:and>\(first)\(last)</d:and>"
        default: return nil
        }
    }
}

extension FileQuery.Comparison {
    fileprivate func isEqual(to value: FileQuery.Value) -> Bool { operation == .equal && self.value == value }
}
