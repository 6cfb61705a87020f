package import Foundation

/// Reads the values of a storage's options, as a ``ProviderConfiguration`` has them.
package struct OptionReader: Sendable {
    /// The words for a flag, in small letters.
    package static let flags = [
        "true": true, "yes": true, "on": true, "1": true,
        "false": false, "no": false, "off": false, "0": false,
    ]

    private let values: [String: String]

    /// Makes a reader.
    ///
    /// - Parameter values: The values, by the options' names.
    package init(_ values: [String: String]) {
        self.values = values
    }

    /// Returns a value as it is; `nil` if the option is not set.
    ///
    /// - Parameter key: The option.
    package subscript(key: String) -> String? { values[key] }

    /// Returns a text; `nil` if the option is not set, or empty.
    ///
    /// - Parameter key: The option.
    /// - Returns: The text.
    package func text(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a value of any type; `nil` if the option is not set.
    ///
    /// - Parameters:
    ///   - key: The option.
    ///   - allowed: The values that it can have, in words.
    ///   - read: Reads the text; `nil` if it can't be.
    /// - Returns: The value.
    /// - Throws: `CocoaError.coderInvalidValue`.
    package func value<Value>(_ key: String, _ allowed: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = values[key] else { return nil }
        guard let value = read(text) else { throw Self.wrong(key, text, allowed) }
        return value
    }

    /// Returns a flag; `nil` if the option is not set.
    ///
    /// - Parameter key: The option.
    /// - Returns: The flag.
    /// - Throws: `CocoaError.coderInvalidValue`.
    package func flag(_ key: String) throws -> Bool? {
        try value(key, "true or false") { Self.flags[$0.lowercased()] }
    }

    /// Returns a number; `nil` if the option is not set.
    ///
    /// - Parameters:
    ///   - key: The option.
    ///   - range: The numbers that it can be.
    ///   - unit: The unit, for errors.
    /// - Returns: The number.
    /// - Throws: `CocoaError.coderInvalidValue`.
    package func number<Number: FixedWidthInteger>(
        _ key: String,
        in range: ClosedRange<Number>,
        unit: String = ""
    ) throws -> Number? {
        try value(key, "\(range.lowerBound) to \(range.upperBound)\(unit)") { text in
            Number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a time of whole seconds, a day at most; `nil` if the option is not set.
    ///
    /// - Parameter key: The option.
    /// - Returns: The time.
    /// - Throws: `CocoaError.coderInvalidValue`.
    package func seconds(_ key: String) throws -> Duration? {
        try number(key, in: 1...Int64(86_400), unit: " seconds").map { .seconds($0) }
    }

    /// Makes the error for a value that an option can't have.
    ///
    /// - Parameters:
    ///   - key: The option.
    ///   - value: The value, without secrets.
    ///   - allowed: The values that it can have, in words.
    /// - Returns: `CocoaError.coderInvalidValue`.
    package static func wrong(_ key: String, _ value: String, _ allowed: String) -> CocoaError {
        CocoaError.misconfigured("the option \(key) is '\(value)'; it can be \(allowed)")
    }
}
