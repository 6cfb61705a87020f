import FerryCore
import Foundation
import Synchronization

/// The folder of the thumbnails that somebody wanted as files.
///
/// Kept thumbnails are in the index. A file here is a copy that is made when it is asked for, compared each time, and
/// removed with what it is a copy of, or a day later.
final class PicturesFolder: Sendable {
    private static let lifetime: TimeInterval = 86_400

    private let path: String
    private let isInUse = Mutex(false)

    init(path: String) {
        self.path = path
    }

    /// Puts a thumbnail into a file.
    ///
    /// - Parameters:
    ///   - thumbnail: The thumbnail.
    ///   - item: The item.
    ///   - variant: How it was to be made.
    ///   - account: The account that it is kept for.
    /// - Returns: The file; `nil` if it can't be written.
    func file(of thumbnail: Thumbnail, _ item: ItemPath, variant: String, _ account: CacheAccount) -> URL? {
        let folder = folder(of: account)
        let isFirst = isInUse.withLock { isInUse in
            defer { isInUse = true }
            return !isInUse
        }
        if isFirst { removeOld() }
        let url = URL(filePath: "\(folder)/\(Self.hash(item.string + "\0" + variant)).\(Self.ending(thumbnail))")
        do {
            if try isSame(thumbnail.data, url) { return url }
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try thumbnail.data.write(to: url, options: .atomic)
            return url
        } catch {
            // A copy that can't be made is as good as none: nothing here fails.
            return nil
        }
    }

    /// Removes the files of an account.
    ///
    /// - Parameters:
    ///   - account: The account; `nil` for all.
    ///   - evenUnused: `true` to look also where this process has put nothing.
    func remove(_ account: CacheAccount?, evenUnused: Bool) {
        guard evenUnused || isInUse.withLock({ $0 }) else { return }
        try? FileManager.default.removeItem(atPath: account.map(folder) ?? path)
    }

    private func isSame(_ data: Data, _ url: URL) throws -> Bool {
        let path = url.path(percentEncoded: false)
        guard FileManager.default.contents(atPath: path) == data else { return false }
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        return true
    }

    private func removeOld() {
        guard let files = FileManager.default.enumerator(atPath: path) else { return }
        let names = files.compactMap { $0 as? String }
        for name in names {
            let file = "\(path)/\(name)"
            guard let facts = try? FileManager.default.attributesOfItem(atPath: file),
                facts[.type] as? FileAttributeType == .typeRegular, let date = facts[.modificationDate] as? Date,
                date.timeIntervalSinceNow < -Self.lifetime
            else { continue }
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    private func folder(of account: CacheAccount) -> String { "\(path)/\(Self.hash(account.key))" }

    private static func hash(_ text: String) -> String {
        let data = Data(text.utf8)
        return [0, 1].map { UInt64(bitPattern: Checksum.of(data, seed: $0)).hexadecimal }.joined()
    }

    /// The extension that other programs know the picture by.
    private static func ending(_ thumbnail: Thumbnail) -> String {
        switch thumbnail.contentType {
        case "image/jpeg": "jpg"
        case "image/png": "png"
        case "image/webp": "webp"
        case "image/gif": "gif"
        case "image/avif": "avif"
        default: "img"
        }
    }
}
