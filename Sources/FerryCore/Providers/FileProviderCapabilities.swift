public import Foundation

/// A storage's abilities beyond its protocols, and its limits.
///
/// The conformance suite chooses its rules by these facts: what is claimed here is tested, what is not claimed may be
/// refused with `CocoaError.featureUnsupported`.
public struct FileProviderCapabilities: Sendable, Hashable, Codable {
    /// Nothing can be changed.
    public var isReadOnly = false

    /// A part of a file can be read without transferring the rest.
    public var readsRanges = false

    /// Copies and moves happen on the storage, without the content passing through here.
    public var copiesOnServer = false

    /// A write shows the old content or the new under the final name, never a mixture.
    public var writesAtomically = false

    /// `overwrite: false` can't be fooled by another writer at the same time.
    public var createsExclusively = false

    /// A write can be made to depend on the item's eTag.
    public var writesConditionally = false

    /// The modified date of a file can be chosen when it is written.
    public var setsModifiedDate = false

    /// The dates that files can be given, where they can be given any; `nil` if no limit is known.
    public var settableDates: ClosedRange<Date>?

    /// The exactness of dates; `nil` if the storage keeps none.
    public var datePrecision: Duration?

    /// Written content is compared with what has arrived, by more than its length: nobody else need work out a checksum
    /// for that.
    public var comparesWrites = false

    /// Some contents may be changed on purpose when they are written; `FileObjectExtras.Key.isRewritten` marks those files.
    public var rewritesContents = false

    /// The checksums that the storage can tell.
    public var checksumKinds: Set<ChecksumKind> = []

    /// `a` and `A` are two names.
    public var isCaseSensitive = true

    /// Composed and decomposed forms of a letter are two names.
    public var distinguishesNormalizationForms = true

    /// Bytes that a name may have in UTF-8; `nil` if no limit is known.
    public var maximumNameLength: Int?

    /// Bytes that a file may have; `nil` if no limit is known.
    public var maximumFileSize: Int64?

    /// Characters that can't be in a name, even encoded; all in one string.
    public var forbiddenCharacters = ""

    /// Empty folders exist on their own, which they don't where a folder is only a part of its items' names.
    public var keepsEmptyFolders = true

    /// A listing names all that is in a folder; else items whose names begin with a dot may be there and are never named,
    /// so that a folder that looks empty may not be so.
    public var listsDotNames = true

    /// Writing to a symbolic link writes to what it leads to; else the link itself is what is there, and is replaced.
    public var writesThroughLinks = true

    /// Items have identifiers that survive a rename, and `id:` paths lead to them, and to what is in a folder.
    public var addressesByIdentifier = false

    /// Items can be locked against others: see ``FileProviderLocking``.
    public var locksItems = false

    /// A folder's eTag changes with everything below it, so that what is in it need not be listed again while that stays.
    public var folderTagsShowBelow = false

    /// A file with another content has another eTag, whoever wrote it and whatever date it was given.
    public var eTagsShowContents = true

    /// A folder in the trash can be put back by any process with all below it: see ``FileProviderTrash``.
    public var restoresTrashedFolders = true

    /// The trash can be listed; if not, ``TrashedItem/id`` is the ``FileObject/id`` that the item had, and only who knows it
    /// can put the item back: see ``FileProviderTrash``.
    public var listsTrash = true

    /// An earlier content can be told from others by its eTag, or by its size and the date that the file had: see
    /// ``FileProviderVersioning``.
    public var identifiesVersions = true

    /// A file that was removed can be restored as a version whose identifier is the eTag that it had: see
    /// ``FileProviderVersioning``.
    public var versionsOutliveFiles = false

    /// Transfers that are sensible at the same time.
    public var recommendedConcurrency = 4

    /// Assumes nothing: a storage that can list and read.
    public init() {}
}
