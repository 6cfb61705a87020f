import Foundation

/// A copy that a client asks about until it is done.
struct GraphJob: Sendable {
    enum Result: Sendable {
        case completed(resourceID: String, url: String)
        case failed(GraphRefusal)
    }

    /// The number of times that it still says it is in progress.
    var polls: Int
    /// A Boolean value that indicates whether a client has asked already.
    var hasBegun = false
    let result: Result
}
