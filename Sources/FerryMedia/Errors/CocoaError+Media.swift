#if os(Linux) || os(macOS)
import FerryCore
import FerryMediaWire
import FerryProcess
import Foundation

/// Why nothing was made of a file: here, all that can go wrong with the program becomes an error.
enum MediaFailure: Error, Hashable {
    case refused(RefusalReason, String)
    case ended(ChildProcess.Ending)
    case tooSlow
    case confused(String)

    init(_ failure: HelperProgram.Failure) {
        self =
            switch failure {
            case .ended(let ending): .ended(ending)
            case .gone: .ended(.unknown)
            case .tooSlow: .tooSlow
            case .confused(let words): .confused(words)
            }
    }

    /// The error that a caller sees.
    ///
    /// - Parameter path: The file.
    /// - Returns: An error that names it.
    func error(about path: ItemPath) -> CocoaError {
        switch self {
        case .refused(let reason, let words): Self.error(reason, words, path)
        case .tooSlow: Self.takesTooLong(path)
        case .confused(let words):
            .file(.fileReadUnknown, path: path, description: "\(HelperFinder.name) makes no sense: \(words)")
        case .ended(.exited(ProgramEnding.tooSlow.rawValue)),
            .ended(.signalled(ProgramEnding.tooBusySignal)), .ended(.signalled(ProgramEnding.tooBusySignalOfLimit)):
            Self.takesTooLong(path)
        case .ended(.exited(ProgramEnding.outOfMemory.rawValue)):
            .file(.fileReadTooLarge, path: path, description: "it takes too much memory to decode")
        case .ended(.exited(ProgramEnding.unsafe.rawValue)):
            .noMediaHelper("it could not lock itself in, and opens nothing then")
        case .ended(.exited(127)): .noMediaHelper("libraries that it needs are missing")
        case .ended(let ending):
            .file(
                .fileReadCorruptFile,
                path: path,
                description: "it can't be decoded: \(HelperFinder.name) \(ending.words)"
            )
        }
    }

    private static func takesTooLong(_ path: ItemPath) -> CocoaError {
        .file(.fileReadTooLarge, path: path, description: "it takes too long to decode")
    }

    private static func error(_ reason: RefusalReason, _ words: String, _ path: ItemPath) -> CocoaError {
        let told = words.isEmpty ? "" : " (\(words.prefix(200)))"
        return switch reason {
        case .unsupported:
            .file(.featureUnsupported, path: path, description: "nothing is known of this kind of file" + told)
        case .nothingThere:
            .file(.featureUnsupported, path: path, description: words.isEmpty ? "there is no picture in it" : words)
        case .damaged: .file(.fileReadCorruptFile, path: path, description: "it is damaged" + told)
        case .tooLarge: .file(.fileReadTooLarge, path: path, description: "it is too large to decode" + told)
        case .locked: .file(.fileReadNoPermission, path: path, description: "it needs a password")
        case .unreadable, .cancelled: .file(.fileReadUnknown, path: path, description: "it could not be read" + told)
        }
    }
}

extension ChildProcess.Ending {
    fileprivate var words: String {
        switch self {
        case .exited(let code): "ended with status \(code)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .unknown: "ended"
        }
    }
}

extension CocoaError {
    /// The program can't be used.
    ///
    /// - Parameters:
    ///   - description: Why.
    ///   - underlying: The system's error.
    /// - Returns: An error that says how to get it.
    static func noMediaHelper(_ description: String, underlying: (any Error)? = nil) -> CocoaError {
        let reason = "no thumbnails and properties without \(HelperFinder.name): \(description)"
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "There are \(reason).",
            NSLocalizedFailureReasonErrorKey: reason,
            NSLocalizedRecoverySuggestionErrorKey:
                "build Ferry's product '\(HelperFinder.name)', and put it beside the program or into PATH, "
                + "or name it in \(HelperFinder.variable)",
        ]
        info[NSUnderlyingErrorKey] = underlying
        return CocoaError(.featureUnsupported, userInfo: info)
    }
}
#endif
