import FerryCore
import Synchronization

/// Notes in the journal that a storage writes a file under its final name, where half a file would stay if this process
/// died.
final class InPlaceWrites: Sendable {
    private let source: SourceIdentity
    private let place: ItemPath
    private let journal: JobJournal?
    private let state = Mutex<(isInPlace: Bool, entry: Int64?)>((false, nil))

    /// Makes a value; `nil` for a file of which too little is known to find out later what was half written.
    ///
    /// - Parameters:
    ///   - item: The original.
    ///   - place: The path of its copy.
    ///   - journal: The journal; `nil` for none.
    init?(of item: FileObject, to place: ItemPath, _ journal: JobJournal?) {
        guard let source = SourceIdentity(item) else { return nil }
        self.source = source
        self.place = place
        self.journal = journal
    }

    /// The listener for the storage's writes.
    var listener: InPlaceWriting {
        InPlaceWriting { [self] write in
            let copy = PartialCopy(source: source, write: write, isInOrder: true, isFresh: true)
            let entry = await journal?.begin(copy, at: place)
            state.withLock { $0 = (true, entry) }
        }
    }

    /// Forgets the write, which is complete.
    ///
    /// - Returns: `true` if the file was written under its final name.
    func end() -> Bool {
        let (isInPlace, entry) = state.withLock { $0 }
        if let entry { journal?.forget(entry) }
        return isInPlace
    }
}
