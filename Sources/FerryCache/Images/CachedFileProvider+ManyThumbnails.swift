import FerryCore
import Foundation

extension CachedFileProvider {
    /// Returns small pictures of many items, and asks for those that aren't kept with one call.
    ///
    /// Those that the storage has none of are made here.
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
        let found = try await resultsInParallel(indices, concurrency: concurrency, goesOn: true) { [self] index in
            try await keptOrWanted(paths[index], properties, listed: listed.isEmpty ? nil : listed[index])
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
        if !asked.isEmpty {
            let items = listed.isEmpty ? [] : asked.compactMap { listed[$0] }
            let answers: [Result<Thumbnail, any Error>]
            do {
                answers = try await storagesThumbnails(asked.map { paths[$0] }, properties, listed: items)
            } catch let error where !(error is CancellationError) && asked.count < paths.count {
                // Those that are kept are returned all the same.
                answers = asked.map { _ in .failure(error) }
            }
            for (index, answer) in zip(asked, answers) {
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
        return results.compactMap(\.self)
    }

    private func storagesThumbnails(
        _ paths: [ItemPath],
        _ properties: ThumbnailOptions,
        listed: [FileObject]
    ) async throws -> [Result<Thumbnail, any Error>] {
        guard let base = base as? any ExtendedFileProvider else { return [] }
        let options = properties == ThumbnailOptions() ? nil : properties
        guard listed.count == paths.count else {
            return try await base.thumbnailsOfFiles(paths: paths, options: options)
        }
        return try await base.thumbnailsOfFiles(listed: listed, options: options)
    }
}
