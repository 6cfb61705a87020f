import FerryCore
import Foundation

extension CachedFileProvider {
    /// Small pictures of many items: kept ones, as far as the options allow it; the others by one call of the storage's, and
    /// those that it has none of as they are made here.
    func thumbnails(
        _ paths: [ItemPath],
        _ properties: ThumbnailOptions
    ) async throws -> [Result<Thumbnail, any Error>] {
        let concurrency = capabilities.recommendedConcurrency
        let found = try await resultsInParallel(paths, concurrency: concurrency) { path in
            try await keptOrWanted(path, properties, listed: nil)
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
        if let base = base as? any ExtendedFileProvider, !asked.isEmpty {
            let options = properties == ThumbnailOptions() ? nil : properties
            let answers = try await base.thumbnailsOfFiles(paths: asked.map { paths[$0] }, options: options)
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
        let items = wanted
        let made = try await resultsInParallel(left, concurrency: concurrency) { index in
            guard let wanted = items[index], let maker = maker(of: wanted.item) else {
                throw CocoaError.unsupported("a thumbnail of this file", path: paths[index])
            }
            let thumbnail = try await maker.thumbnail(of: source(wanted.item), options: properties)
            await keep(thumbnail, wanted, paths[index], asked: mark)
            return thumbnail
        }
        for (index, result) in zip(left, made) { results[index] = result }
        return results.compactMap(\.self)
    }
}
