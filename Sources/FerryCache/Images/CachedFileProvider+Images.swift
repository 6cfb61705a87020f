public import FerryCore
public import Foundation

extension CachedFileProvider where Base: FileProviderReadWrite {
    /// A picture: what is kept of it at once, then all of it.
    ///
    /// The preview is no question to the storage, and never one that is known to be outdated. The picture is read as
    /// ``contents(path:reporting:)`` reads it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - preview: The preview to show first; nothing where the options allow no cached answers.
    /// - Returns: At most two steps.
    public func image(path: ItemPath, preview: ImagePreview = .diskAllowed) -> ImageSteps {
        ImageSteps {
            await self.bestThumbnail(path, preview)
        } full: {
            let contents = try await self.contents(path: path, reporting: nil)
            let type = await self.keptItem(path)?.contentType ?? ContentType.ofFile(named: path.lastName)
            return ImageContents(data: contents, contentType: type)
        }
    }

    /// A picture: what is kept of it at once, then all of it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - preview: The preview to show first.
    ///   - stepHandler: Called once or twice: with the preview if there is one, then with the picture, or the error.
    /// - Returns: One unit; cancelling it ends with `CocoaError.userCancelled`.
    @discardableResult
    public func image(
        path: ItemPath,
        preview: ImagePreview = .diskAllowed,
        stepHandler: @escaping @Sendable (ImageStep?, (any Error)?) -> Void
    ) -> Progress {
        let steps = image(path: path, preview: preview)
        let queue = environment.callbackQueue
        return start(.fetch(path: path)) { (result: Result<ImageStep?, any Error>) in
            switch result {
            case .success(let step): stepHandler(step, nil)
            case .failure(let error): stepHandler(nil, error)
            }
        } work: { _ in
            var last: ImageStep?
            for try await step in steps {
                // The last one comes with the end of the operation.
                if step.isFull { last = step } else { queue.async { stepHandler(step, nil) } }
            }
            return last
        }
    }

    private func bestThumbnail(_ path: ItemPath, _ preview: ImagePreview) async -> Thumbnail? {
        let plan = ReadingPlan(options, otherwise: .unasked)
        guard !plan.removesFirst, plan.use != .never || options.contains(.requestEvenIfCached) else { return nil }
        switch preview {
        case .none: return nil
        case .memoryOnly: return await keptThumbnails(path, in: .memory).first { $0.isCurrent }?.thumbnail
        case .diskAllowed: return await keptThumbnails(path, in: .all).first { $0.isCurrent }?.thumbnail
        case .specific(let options):
            let kept = await engine.account.value(
                .thumbnail,
                path,
                variant: options.cacheVariant,
                as: Thumbnail.self
            )
            guard let kept else { return nil }
            let item = await keptItem(path)
            return item.map { kept.version.isSame(as: engine.version($0)) } ?? true ? kept.value : nil
        }
    }
}
