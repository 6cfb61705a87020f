import FerryCore
import Foundation

extension Trial {
    /// Notes a failure unless something holds.
    func expect(
        _ condition: Bool,
        _ message: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line
    ) {
        if !condition { fail(message(), filePath: filePath, line: line) }
    }

    /// Notes a failure unless two values are equal.
    func expectEqual<Value: Equatable>(
        _ value: Value,
        _ expected: Value,
        _ what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line
    ) {
        if value != expected {
            let message = "\(what()): \(shortened(value)), and should be \(shortened(expected))"
            fail(message, filePath: filePath, line: line)
        }
    }

    /// Ends the rule unless there is a value.
    func require<Value>(
        _ value: Value?,
        _ message: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line
    ) throws -> Value {
        guard let value else {
            fail(message(), filePath: filePath, line: line)
            throw TrialEnded()
        }
        return value
    }

    /// Notes a failure unless the work is refused with an error of Cocoa's, which names the path if one is given.
    func expectRefusal<Result>(
        _ codes: CocoaError.Code...,
        naming path: ItemPath? = nil,
        of what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Result
    ) async {
        let wanted = "CocoaError \(codes.map(\.rawValue)) (\(codes.map(\.words).joined(separator: ", ")))"
        do {
            _ = try await body()
            fail("\(what()) ended well instead of with \(wanted)", filePath: filePath, line: line)
        } catch let error as CocoaError where codes.contains(error.code) {
            guard let path else { return }
            let named = error.userInfo[NSFilePathErrorKey] as? String
            expectEqual(
                named,
                path.string,
                "the path that the error of \(what()) names",
                filePath: filePath,
                line: line
            )
        } catch {
            fail(
                "\(what()) threw \(describe(error)) instead of \(wanted)",
                filePath: filePath,
                line: line
            )
        }
    }

    /// Notes a failure unless the work ends with an error that is as it should be.
    func expectError<Result>(
        _ wanted: String,
        of what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line,
        where isWanted: (any Error) -> Bool,
        _ body: () async throws -> Result
    ) async {
        do {
            _ = try await body()
            fail("\(what()) ended well instead of with \(wanted)", filePath: filePath, line: line)
        } catch {
            if isWanted(error) { return }
            let message = "\(what()) threw \(describe(error)) instead of \(wanted)"
            fail(message, filePath: filePath, line: line)
        }
    }

    /// Notes a failure unless the work ends with one of some errors of the line.
    func expectURLError<Result>(
        _ codes: URLError.Code...,
        of what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Result
    ) async {
        await expectError(
            "URLError \(codes.map(\.rawValue))",
            of: what(),
            filePath: filePath,
            line: line,
            where: { ($0 as? URLError).map { codes.contains($0.code) } ?? false },
            body
        )
    }

    /// Notes a failure unless the work ends because the item has changed meanwhile.
    func expectPreconditionFailure<Result>(
        of what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Result
    ) async {
        await expectError(
            "a FileProviderHTTPError with status 412",
            of: what(),
            filePath: filePath,
            line: line,
            where: { ($0 as? any FileProviderHTTPError)?.statusCode == 412 },
            body
        )
    }

    /// Notes a failure unless the work ends as cancelled work does.
    func expectCancellation<Result>(
        of what: @autoclosure () -> String,
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Result
    ) async {
        await expectError(
            "CancellationError",
            of: what(),
            filePath: filePath,
            line: line,
            where: { $0 is CancellationError },
            body
        )
    }

    /// Notes a failure if the work changes anything below the root.
    func expectNoChange(
        filePath: String = #filePath,
        line: Int = #line,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await snapshot()
        try await body()
        let after = try await snapshot()
        for difference in after.differences(from: before) {
            fail("something has changed: \(difference)", filePath: filePath, line: line)
        }
    }
}

private func shortened<Value>(_ value: Value) -> String {
    let text = (value as? Data).map { "\($0.count) bytes" } ?? "\(value)"
    return text.count > 300 ? "\(text.prefix(300))…" : text
}

/// An error as a failure shows it: kind and code first.
private func describe(_ error: any Error) -> String {
    switch error {
    case let error as CocoaError: "CocoaError \(error.code.rawValue) (\(error.code.words))"
    case let error as URLError: "URLError \(error.code.rawValue)"
    default: "\(type(of: error)) \(error)"
    }
}

extension CocoaError.Code {
    fileprivate var words: String {
        switch self {
        case .fileNoSuchFile: "fileNoSuchFile"
        case .fileReadNoSuchFile: "fileReadNoSuchFile"
        case .fileWriteFileExists: "fileWriteFileExists"
        case .fileReadNoPermission: "fileReadNoPermission"
        case .fileWriteNoPermission: "fileWriteNoPermission"
        case .fileWriteOutOfSpace: "fileWriteOutOfSpace"
        case .fileWriteVolumeReadOnly: "fileWriteVolumeReadOnly"
        case .fileWriteInvalidFileName: "fileWriteInvalidFileName"
        case .fileReadInvalidFileName: "fileReadInvalidFileName"
        case .featureUnsupported: "featureUnsupported"
        case .fileReadUnknown: "fileReadUnknown"
        case .fileWriteUnknown: "fileWriteUnknown"
        case .userCancelled: "userCancelled"
        default: "\(rawValue)"
        }
    }
}
