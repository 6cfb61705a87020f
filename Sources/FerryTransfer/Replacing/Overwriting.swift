import FerryCore
import Foundation

/// How a write treats what has its name.
enum Overwriting: Sendable, Hashable {
    /// Nothing may be there.
    case nothing
    /// It replaces whatever is there.
    case anything
    /// It replaces what has this eTag, and nothing else.
    case unchanged(eTag: String)
}

extension WriteOptions {
    /// The content that these options let a write replace.
    var condition: Overwriting { overwrite ? ifMatch.map { .unchanged(eTag: $0) } ?? .anything : .nothing }

    init(_ overwriting: Overwriting, modifiedDate: Date?, contentType: String?) {
        let eTag: String? = if case .unchanged(let eTag) = overwriting { eTag } else { nil }
        self.init(
            overwrite: overwriting != .nothing,
            ifMatch: eTag,
            modifiedDate: modifiedDate,
            contentType: contentType
        )
    }
}
