/// A provider that records what is done.
package protocol RecordingFileProvider: FileProviderBasic {
    /// The provider whose operations it records.
    var recorded: any FileProviderBasic { get }

    /// Records a move that somebody makes without it.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path; nothing is there, or what an earlier run of the same has brought.
    ///   - body: Makes the move.
    /// - Throws: Any error that `body` throws, after which the storage is asked how far the move has come; an error if
    ///   it can't be recorded.
    func recordMove(of path: ItemPath, to target: ItemPath, _ body: () async throws -> Void) async throws
}

extension FileProviderBasic {
    /// The same storage without recording: for undoing itself, for what nobody wants back, and as the source of a copy
    /// that a storage makes of another of its kind.
    package var withoutRecording: any FileProviderBasic { (self as? any RecordingFileProvider)?.recorded ?? self }
}

extension FileProviderReadWriteProgressive where Self: FileProvider {
    /// The same storage without recording, which can be read and written as this one.
    package var withoutRecording: any FileProvider & FileProviderReadWriteProgressive {
        let recorded = (self as? any RecordingFileProvider)?.recorded
        return recorded as? any FileProvider & FileProviderReadWriteProgressive ?? self
    }
}
