import FerryCore
import Foundation

/// An error as the command tells it: `ferry: PATH: what happened, what to do`.
struct ErrorLine {
    /// The line without the command's name and its end.
    let words: String

    /// One line without its end.
    var text: String { "ferry: \(words)" }

    /// Finds the words for an error.
    ///
    /// - Parameters:
    ///   - error: Any error of a storage.
    ///   - locations: The locations that the work was about; a path at or below one of them is named in the person's
    ///     own words.
    ///   - item: Which item below the locations, for errors that don't say it themselves.
    ///   - isOverwriting: `true` if `--overwrite` was given; `nil` where there is no such option.
    init(
        _ error: any Error,
        about locations: [Location] = [],
        item: ItemPath = .root,
        isOverwriting: Bool? = nil
    ) {
        let error = (error as? CocoaError)?.worded(isOverwriting: isOverwriting) ?? error
        let place = Self.path(of: error, locations, item)
        let parts = [place, Self.description(of: error)].compactMap { $0 }
        let advice =
            Self.advice(for: error, locations) ?? Self.loginAdvice(for: error, at: place, locations)
            ?? Self.advice(for: error)
        let words = parts.joined(separator: ": ") + (advice.map { ", \($0)" } ?? "")
        self.words = TerminalText.oneLine(words)
    }

    private static func path(of error: any Error, _ locations: [Location], _ item: ItemPath) -> String? {
        let known = ((error as? CocoaError)?.userInfo ?? (error as? URLError)?.userInfo)?[NSFilePathErrorKey] as? String
        guard let known = known ?? (error as? any FileProviderHTTPError)?.path.string else {
            // Only what is at the other end of a line can have trouble with the line.
            let isOfLine = error is URLError
            let location = locations.first { isOfLine && $0.isRemote } ?? locations.first
            return location.map { $0.display($0.path.appending(path: item)) }
        }
        guard let path = ItemPath(known), known == path.string else { return known }
        // Only the target can be in the way or full, though the source may have the same path on another storage.
        let isAtTarget = [.fileWriteFileExists, .fileWriteOutOfSpace].contains((error as? CocoaError)?.code)
        let locations = isAtTarget ? locations.suffix(1) : locations[...]
        // Everything is below a storage's root: what is above or beside another location is that one's more likely.
        let nearest =
            locations
            .filter { !$0.path.isRoot && (path == $0.path || path.isBelow($0.path)) }
            .max { $0.path.string.utf8.count < $1.path.string.utf8.count }
        let above = locations.last { $0.path.isBelow(path) }
        let beside = locations.last { !$0.path.isRoot && !$0.path.parent.isRoot && path.isBelow($0.path.parent) }
        let root = locations.first { $0.path.isRoot }
        return (nearest ?? above ?? beside ?? root ?? locations.last)?.display(path) ?? known
    }

    private static func description(of error: any Error) -> String {
        switch error {
        case let error as CocoaError:
            if isTooLong(error) { return "the name is too long" }
            let told = error.userInfo.reasonInWords
            let words = told ?? uncapitalised(error.localizedDescription)
            guard [.fileReadUnknown, .fileWriteUnknown].contains(error.code), words.hasPrefix("could not be "),
                let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
            else { return words }
            return "\(words) (\(uncapitalised(String(cString: strerror(cause.code.rawValue)))))"
        case let error as URLError where isNotKept(error): return "isn't kept on this machine"
        case let error as URLError:
            return error.userInfo.reasonInWords ?? uncapitalised(error.localizedDescription)
        case let error as POSIXError:
            return uncapitalised(String(cString: strerror(error.code.rawValue)))
        case let error as any FileProviderHTTPError:
            let words = error.serverDescription.map { " (\($0))" } ?? ""
            return error.reasonInWords + words
        default:
            return uncapitalised(error.reasonInWords)
        }
    }

    /// Where something goes that has no folder to go to.
    private static func advice(for error: any Error, _ locations: [Location]) -> String? {
        guard locations.count > 1, let target = locations.last, let error = error as? CocoaError,
            error.code == .fileNoSuchFile, let known = error.userInfo[NSFilePathErrorKey] as? String,
            let folder = ItemPath(known), target.path.isBelow(folder)
        else { return nil }
        return "make it with 'ferry mkdir -p'"
    }

    /// The command that logs in at the remote that has refused a login.
    private static func loginAdvice(for error: any Error, at place: String?, _ locations: [Location]) -> String? {
        guard let place, let prefix = locations.map(\.prefix).first(where: { $0.hasSuffix(":") && place.hasPrefix($0) })
        else { return nil }
        return loginAdvice(for: error, on: prefix)
    }

    private static func loginAdvice(for error: any Error, on prefix: String) -> String? {
        guard (error as? URLError)?.code == .userAuthenticationRequired, prefix.hasSuffix(":") else { return nil }
        return "log in with 'ferry remote login \(prefix.dropLast())'"
    }

    /// Returns the way out of an error.
    ///
    /// - Parameters:
    ///   - error: Any error of a storage.
    ///   - prefix: The prefix of locations on the storage.
    /// - Returns: A part of a sentence; `nil` if there is no known way out.
    static func advice(for error: any Error, on prefix: String) -> String? {
        loginAdvice(for: error, on: prefix) ?? advice(for: error)
    }

    private static func advice(for error: any Error) -> String? {
        switch error {
        case let error as CocoaError where isTooLong(error): "choose a shorter one"
        case let error as CocoaError:
            error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        case let error as any FileProviderHTTPError: error.recoverySuggestion
        case let error as URLError where isNotKept(error): "leave out --offline to fetch it"
        case let error as URLError: error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
        default: nil
        }
    }

    /// The cache has it not, and nobody was to be asked.
    private static func isNotKept(_ error: URLError) -> Bool {
        error.code == .resourceUnavailable && error.userInfo[NSFilePathErrorKey] != nil
    }

    /// Names are invalid for several reasons; this one is worth its own words.
    private static func isTooLong(_ error: CocoaError) -> Bool {
        (error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ENAMETOOLONG
    }

    private static func uncapitalised(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension CocoaError {
    /// The same error, its advice being what this command can do: the library only says "allow overwriting".
    fileprivate func worded(isOverwriting: Bool?) -> CocoaError {
        if let told = userInfo.reasonInWords, told.hasPrefix("nothing is removed: ") {
            let advice = "look at it with --dry-run, allow more with --max-delete"
            return CocoaError(code, userInfo: userInfo.merging([NSLocalizedRecoverySuggestionErrorKey: advice]) { $1 })
        }
        let exists = CocoaError.itemExists(.root).userInfo.reasonInWords
        guard code == .fileWriteFileExists, let advice = userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String,
            advice.hasSuffix(", or allow overwriting")
        else { return self }
        var info = userInfo
        let isPlain = info.reasonInWords == exists
        info[NSLocalizedRecoverySuggestionErrorKey] =
            isPlain && isOverwriting == false
            ? "choose another name, or give --overwrite (-f)" : "choose another name"
        if isPlain, isOverwriting == true {
            info[NSLocalizedFailureReasonErrorKey] = "already exists, and files and folders don't replace each other"
        }
        return CocoaError(code, userInfo: info)
    }
}
