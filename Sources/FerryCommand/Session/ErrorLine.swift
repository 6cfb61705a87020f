import FerryCore
import Foundation

/// An error as the command tells it: `ferry: PATH: what happened, what to do`.
struct ErrorLine {
    /// One line without its end.
    let text: String

    /// Finds the words for an error.
    ///
    /// - Parameters:
    ///   - error: Any error of a storage.
    ///   - locations: What the work was about; a path at or below one of them is told in the person's own words.
    init(_ error: any Error, about locations: [Location] = []) {
        let parts = [Self.path(of: error, locations), Self.description(of: error)].compactMap { $0 }
        let advice = Self.advice(for: error).map { ", \($0)" } ?? ""
        text = "ferry: " + TerminalText.oneLine(parts.joined(separator: ": ") + advice)
    }

    private static func path(of error: any Error, _ locations: [Location]) -> String? {
        let known = (error as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String
        guard let known = known ?? (error as? any FileProviderHTTPError)?.path.string else {
            return locations.first?.text
        }
        guard let path = ItemPath(known), known == path.string else { return known }
        let nearest =
            locations
            .filter { path == $0.path || path.isBelow($0.path) }
            .max { $0.path.string.utf8.count < $1.path.string.utf8.count }
        return nearest?.display(path) ?? (locations.last?.prefix ?? "") + known
    }

    private static func description(of error: any Error) -> String {
        switch error {
        case let error as CocoaError:
            let told = error.userInfo[NSLocalizedDescriptionKey] as? String
            let words = told ?? uncapitalised(error.localizedDescription)
            guard [.fileReadUnknown, .fileWriteUnknown].contains(error.code), words.hasPrefix("could not be "),
                let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
            else { return words }
            return "\(words) (\(uncapitalised(String(cString: strerror(cause.code.rawValue)))))"
        case let error as URLError:
            return error.userInfo[NSLocalizedDescriptionKey] as? String ?? uncapitalised(error.localizedDescription)
        case let error as POSIXError:
            return uncapitalised(String(cString: strerror(error.code.rawValue)))
        case let error as any FileProviderHTTPError:
            let words = error.serverDescription.map { " (\($0))" } ?? ""
            return (error.errorDescription ?? "the server answered with status \(error.statusCode)") + words
        default:
            return uncapitalised(error.localizedDescription)
        }
    }

    private static func advice(for error: any Error) -> String? {
        switch error {
        case let error as CocoaError:
            (error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)?
                .replacingOccurrences(of: "allow overwriting", with: "give --overwrite (-f)")
        case let error as any FileProviderHTTPError: error.recoverySuggestion
        case let error as URLError: error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        default: nil
        }
    }

    private static func uncapitalised(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
