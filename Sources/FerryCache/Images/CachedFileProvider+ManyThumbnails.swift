import FerryCore
import Foundation
import Synchronization

extension CachedFileProvider {
    /// Returns small pictures of many items, and asks for those that aren't kept with one call: with two if only some
    /// were listed.
    ///
    /// Those that the storage has none of are made here. Where the storage can't be reached, or refuses the login, it
    /// is asked for no more of them.
    ///
    /// - Parameters:
    ///   - paths: The items.
    ///   - properties: How each picture is to be made.
    ///   - listed: For each item what the storage has just said of it, if it has; empty if it has said so of none.
    /// - Returns: For each item its picture or its error.
    /// - Throws: `CancellationError`; an error that keeps all pictures from being made.
    func thumbnails(
        _ paths: [ItemPath],
        _ properties: ThumbnailOptions,
        listed: [FileObject?] = []
    ) async throws -> [Result<Thumbnail, any Error>] {
        let concurrency = capabilities.recommendedConcurrency
        let indices = Array(paths.indices)
        let listed = listed.isEmpty ? [FileObject?](repeating: nil, count: paths.count) : listed
        let questions = StorageQuestions()
        let found = try await resultsInParallel(indices, concurrency: concurrency, goesOn: true) { [self] index in
            try await keptOrWanted(paths[index], properties, listed: listed[index], questions)
        }
        var results = [Result<Thumbnail, any Error>?](repeating: nil, count: paths.count)
        var wanted = [WantedThumbnail?](repeating: nil, count: paths.count)
        var asked: [Int] = []
        for (index, answer) in found.enumerated() {
            switch answer {
            case .success(.kept(let thumbnail)): results[index] = .success(thumbnail)
            case .success(.passed): asked.append(index)
            case .success(.wanted(let thumbnail)):
                wanted[index] = thumbnail
                if pictured(paths[index]) != nil { asked.append(index) }
            case .failure(let error): results[index] = .failure(error)
            }
        }
        let mark = await engine.account.mark()
        for isListed in [true, false] {
            let part = asked.filter { (listed[$0] != nil) == isListed }
            guard !part.isEmpty else { continue }
            let answers: [Result<Thumbnail, any Error>]
            do {
                answers = try await questions.ask {
                    try await storagesThumbnails(part.map { paths[$0] }, properties, part.compactMap { listed[$0] })
                }
            } catch let error where !(error is CancellationError) && part.count < paths.count {
                // Those that are kept are returned all the same.
                answers = part.map { _ in .failure(error) }
            }
            for (index, answer) in zip(part, answers) {
                switch answer {
                case .success(let thumbnail):
                    if let wanted = wanted[index] { await keep(thumbnail, wanted, paths[index], asked: mark) }
                case .failure(let error as CocoaError)
                where error.code == .featureUnsupported && wanted[index].flatMap({ maker(of: $0.item) }) != nil:
                    // A server can be set up to make none of what others make some of.
                    continue
                case .failure(let error): await engine.forget(paths[index], after: error)
                }
                results[index] = answer
            }
        }
        let left = paths.indices.filter { results[$0] == nil }
        let open = wanted
        let made = try await resultsInParallel(left, concurrency: concurrency, goesOn: true) { [self] index in
            guard let wanted = open[index], let maker = maker(of: wanted.item) else {
                throw CocoaError.unsupported("a thumbnail of this file", path: paths[index])
            }
            let thumbnail = try await maker.thumbnail(of: source(wanted.item), options: properties)
            await keep(thumbnail, wanted, paths[index], asked: mark)
            return thumbnail
        }
        for (index, result) in zip(left, made) { results[index] = result }
        let all = results.compactMap(\.self)
        if let end = questions.end, all.allSatisfy(\.meansNothingWasAsked) { throw end }
        return all
    }

    /// Asks the storage for pictures.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - properties: How each picture is to be made.
    ///   - listed: The same files as the storage has described them; empty if it hasn't.
    /// - Returns: For each file its picture or its error.
    /// - Throws: `CancellationError`; an error that keeps all pictures from being made.
    private func storagesThumbnails(
        _ paths: [ItemPath],
        _ properties: ThumbnailOptions,
        _ listed: [FileObject]
    ) async throws -> [Result<Thumbnail, any Error>] {
        guard let base = base as? any ExtendedFileProvider else { return [] }
        let options = properties == ThumbnailOptions() ? nil : properties
        guard !listed.isEmpty else { return try await base.thumbnailsOfFiles(paths: paths, options: options) }
        return try await base.thumbnailsOfFiles(listed: listed, options: options)
    }
}

/// The questions of one call to a storage: none is asked after one that could not be.
final class StorageQuestions: Sendable {
    private let state = Mutex<URLError?>(nil)

    /// The error for which no further question is asked, if there was one.
    var end: URLError? { state.withLock { $0 } }

    /// Asks a question.
    ///
    /// - Parameters:
    ///   - isolation: The caller's isolation.
    ///   - question: The question.
    /// - Returns: The answer.
    /// - Throws: The question's error; that of an earlier question if the storage couldn't be reached, or refused the
    ///   login.
    func ask<Answer>(
        isolation: isolated (any Actor)? = #isolation,
        _ question: () async throws -> Answer
    ) async throws -> Answer {
        if let end { throw end }
        do {
            return try await question()
        } catch let error as URLError where error.code.meansNothingWasAsked {
            state.withLock { $0 = $0 ?? error }
            throw error
        }
    }
}

extension Result where Failure == any Error {
    /// Indicates that no request came to the storage, or that it refused the login.
    fileprivate var meansNothingWasAsked: Bool {
        guard case .failure(let error as URLError) = self else { return false }
        return error.code.meansNothingWasAsked
    }
}
