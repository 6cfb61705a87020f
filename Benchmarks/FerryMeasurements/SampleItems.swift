import FerryCore
import Foundation

/// Items such as real folders hold: 1,000 in each, names of 24 bytes that no two share.
enum SampleItems: String, CaseIterable {
    /// The properties that a folder of this machine returns.
    case local

    /// The properties that a server returns besides: an identifier, a version, a media type.
    case remote

    /// Makes the items that a listing of all folders would give.
    func items(count: Int) -> [FileObject] {
        var items: [FileObject] = []
        items.reserveCapacity(count)
        var folder = ItemPath.root
        for number in 0..<count {
            if number % 1000 == 0 {
                folder = ItemPath.root.appending("Photographs").appending("Folder \(number / 1000)")
            }
            items.append(item(number, in: folder))
        }
        return items
    }

    /// Makes the items of one folder.
    func items(count: Int, in folder: ItemPath) -> [FileObject] { (0..<count).map { item($0, in: folder) } }

    private func item(_ number: Int, in folder: ItemPath) -> FileObject {
        let digits = String(number)
        let padded = String(repeating: "0", count: 7 - digits.utf8.count) + digits
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number))
        var item = FileObject(
            name: "IMG-\(padded) harbour.jpg",
            in: folder,
            type: .file,
            size: Int64(number % 4096),
            modifiedDate: date,
            creationDate: date,
            permissions: 0o644
        )
        switch self {
        case .local:
            item.id = String(10_000_000 + number)
        case .remote:
            item.id = "00\(padded)ocx7f3k9a2m1"
            item.eTag = "\"6f1d2c3b4a59687\(padded)0123456789\""
            item.contentType = "image/jpeg"
        }
        return item
    }
}

extension SampleItems: Sendable {}
