import Foundation

/// A token of the change feed: a page of an enumeration, or the position from which the next one starts.
enum GraphDeltaToken: Sendable {
    /// A page, and the position of the log at which the enumeration began.
    case page(GraphPage, position: Int)
    case position(Int)

    /// Reads a token.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - epoch: The number of times that change feeds were reset.
    /// - Throws: A refusal with status 400 for a text that is no token, and 410 for one that is too old.
    init(_ text: String, epoch: Int) throws(GraphRefusal) {
        let malformed = GraphRefusal.invalid("The delta token isn't valid.")
        guard let data = Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)) else {
            throw malformed
        }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ";")
        guard parts.count >= 3, let made = Int(parts[1]), let position = Int(parts[2]) else { throw malformed }
        guard made == epoch else { throw GraphRefusal(410, "resyncRequired", "The delta token is too old.") }
        if parts[0] == "n", parts.count == 4, let page = GraphPage(String(parts[3])) {
            self = .page(page, position: position)
        } else if parts[0] == "d" {
            self = .position(position)
        } else {
            throw malformed
        }
    }

    /// Returns the text of the token.
    func text(epoch: Int) -> String {
        let plain =
            switch self {
            case .page(let page, let position): "n;\(epoch);\(position);\(page.token)"
            case .position(let position): "d;\(epoch);\(position)"
            }
        return Data(plain.utf8).base64EncodedString().replacing("=", with: "")
    }
}
