import FerryCore
import FerryUndo

extension UndoRetries {
    /// Waits that a person is told of.
    private static let threshold = Duration.seconds(5)

    /// Makes a value that tells a person of long waits.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of locations on the storage.
    ///   - console: The terminal.
    init(on prefix: String, console: Console) {
        self.init(onWait: { delay in
            guard delay >= Self.threshold else { return }
            let name = prefix.isEmpty ? "" : "\(TerminalText.oneLine(prefix)) "
            console.tell("ferry: \(name)can't do it now; trying again in \(delay.components.seconds) s")
        })
    }
}
