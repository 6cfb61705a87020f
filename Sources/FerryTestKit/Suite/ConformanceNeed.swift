import FerryCore

/// A condition that a provider must meet for a rule to say anything about it.
struct ConformanceNeed: Sendable {
    let words: String
    let isMet: @Sendable (any FileProviderBasic) -> Bool

    init(_ words: String, isMet: @escaping @Sendable (any FileProviderBasic) -> Bool) {
        self.words = words
        self.isMet = isMet
    }

    static let reading = Self("reading whole files") { $0 is any FileProviderReadWrite }
    static let operations = Self("file operations") { $0 is any FileProviderOperations }
    static let files = Self("a complete file provider") { $0 is any FileProvider }
    static let streams = Self("streams") { $0 is any FileProviderReadWriteProgressive }
    static let conditions = Self("reading on a condition") { $0 is any FileProviderConditionalReading }
    static let parts = Self("files in parts") { $0 is any FileProviderPartialWriting }
    static let bulks = Self("many small files at once") { $0 is any FileProviderBulkWriting }
    static let batches = Self("many operations at once") { $0 is any FileProviderBatchOperations }
    static let attributes = Self("attributes that can be set") { $0 is any FileProviderItemAttributes }
    static let newFolders = Self("folders with files in them") { $0 is any FileProviderFolderWriting }
    static let links = Self("symbolic links") { $0 is any FileProviderSymbolicLink }
    static let trash = Self("a trash") { $0 is any FileProviderTrash }
    static let versions = Self("versions") { $0 is any FileProviderVersioning }
    static let locks = Self("locks") { $0 is any FileProviderLocking && $0.capabilities.locksItems }
    static let changeTracking = Self("change tracking") { $0 is any FileProviderChangeTracking }
    static let monitor = Self("monitoring") { $0 is any FileProviderMonitor }
    static let undo = Self("undo") { $0 is any FileProviderUndoable }
    static let pictures = Self("thumbnails") { $0 is any ExtendedFileProvider }
    static let sharing = Self("public links") { $0 is any FileProviderSharing }
    static let configuration = Self("a configuration") { $0 is any ConfigurableFileProvider }
    static let baseURL = Self("URLs") { $0.baseURL != nil }
    static let wrapper = Self("a wrapper") { $0 is any FileProviderWrapper }

    static let writable = Self("a storage that can be changed") { !$0.capabilities.isReadOnly }
    static let readOnly = Self("a read-only storage") { $0.capabilities.isReadOnly }
    static let emptyFolders = Self("empty folders") { $0.capabilities.keepsEmptyFolders }

    static func can(_ ability: any KeyPath<FileProviderCapabilities, Bool> & Sendable, _ words: String) -> Self {
        Self(words) { $0.capabilities[keyPath: ability] }
    }

    static func cannot(_ ability: any KeyPath<FileProviderCapabilities, Bool> & Sendable, _ words: String) -> Self {
        Self(words) { !$0.capabilities[keyPath: ability] }
    }
}

extension [ConformanceNeed] {
    /// Whole files and all operations, on a storage that can be changed.
    static let writing: Self = [.files, .writable]
    /// The same, and streams.
    static let streaming: Self = [.files, .streams, .writable]
}
