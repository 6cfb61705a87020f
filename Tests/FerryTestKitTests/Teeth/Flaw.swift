import FerryTestKit

/// A mistake that a provider can have, and the rules that must find it.
enum Flaw: String, Sendable, CaseIterable {
    case losesLastByte
    case ignoresOverwriteOff
    case ignoresConditions
    case claimsNoConditions
    case ignoresLength
    case ignoresRangeEnd
    case ignoresRangeStart
    case ignoresCancellation
    case leavesPartialFile
    case swallowsSourceErrors
    case removesBeforeWriting
    case checksThenWrites
    case makesMissingFolders
    case readsAllAtOnce
    case saysNoSuchFileDifferently
    case namesNoPath
    case hidesItsErrors
    case returnsPagesShort
    case returnsFirstPageOnly
    case repeatsPages
    case forgetsSizes
    case forgetsDates
    case forgetsProgress
    case countsBackwards
    case keepsETags
    case searchesFlatOnly
    case searchesTooDeep
    case copiesFoldersEmpty
    case copiesInsteadOfMoving
    case movesOverwriting
    case replacesToKeepBoth
    case misnamesWhatKeepsBoth
    case replacesFolders
    case removesByPrefix
    case removesMissing
    case followsLinks
    case resolvesLinkTexts
    case downloadsInPlace
    case claimsToBeReadOnly
    case tellsItsSecret
    case isDeaf
    case forgetsRemovals
    case misnamesRemovals
    case acceptsAnyAnchor
    case hasNoNews
    case alwaysHasNews
    case hidesErrorsOfWaits
    case misnamesFolders
    case keepsMetadataVersions
    case forgetsNamesBelowIdentifiers
    case startsAtTheRoot
    case restoresOverwriting
    case emptiesAllTrash
    case listsVersionsBackwards
    case misplacesParts
    case inventsChecksums
    case finishesIncomplete
    case finishesOverwriting
    case keepsDiscardedParts
    case forgetsToNote
    case endsBatchesAtFirstError
    case hidesErrorsOfBatches
    case reversesBatches
    case reversesResultsOfBatches
    case cutsBatchesShort
    case overwritesInBatches
    case neverOverwritesInBatches
    case forgetsDatesInBatches
    case forgetsPictures
    case mistakesListedPictures
    case reversesPictures
    case endsAtFirstMissingPicture
    case hidesErrorsOfPictures
    case cutsPicturesShort

    /// Rules that find it, each of them.
    var finders: [ConformanceCheck.ID] {
        switch self {
        case .losesLastByte: ["sizes.one-whole", "sizes.chunk-plus-one-streamed", "streams.single-bytes"]
        case .ignoresOverwriteOff:
            ["overwriting.write-off", "overwriting.stream-off", "overwriting.upload-off", "concurrency.one-winner"]
        case .ignoresConditions: ["errors.if-match-fails", "errors.if-match-missing"]
        case .claimsNoConditions: ["errors.if-match-unsupported"]
        case .ignoresLength: ["streams.source-too-short", "streams.source-too-long", "streams.wrong-length-on-old"]
        case .ignoresRangeEnd: ["ranges.middle", "ranges.empty", "ranges.one-chunk", "ranges.empty-at-start"]
        case .ignoresRangeStart: ["ranges.to-the-end", "ranges.far-past-the-end"]
        case .ignoresCancellation:
            [
                "cancelling.changes", "cancelling.write-midway", "cancelling.overwrite-midway", "batches.cancelled",
                "pictures.cancelled",
            ]
        case .leavesPartialFile: ["streams.source-fails", "streams.source-fails-on-old"]
        case .swallowsSourceErrors: ["streams.source-fails", "streams.source-fails-at-end", "versions.failed-write"]
        case .removesBeforeWriting:
            ["streams.source-fails-on-old", "cancelling.overwrite-midway", "streams.wrong-length-on-old"]
        case .checksThenWrites: ["concurrency.one-stream-wins"]
        case .makesMissingFolders: ["errors.write-without-folder", "errors.folder-without-parent"]
        case .readsAllAtOnce: ["streams.chunks"]
        case .saysNoSuchFileDifferently: ["errors.attributes-missing", "errors.remove-missing", "removing.file"]
        case .namesNoPath: ["errors.attributes-missing", "errors.words", "overwriting.write-off"]
        case .hidesItsErrors: ["errors.list-missing", "errors.list-file"]
        case .returnsPagesShort: ["paging.1500", "paging.one-level"]
        case .returnsFirstPageOnly: ["paging.1500"]
        case .repeatsPages: ["paging.1500", "names.file-emoji"]
        case .forgetsSizes: ["paging.kinds", "sizes.chunk-whole"]
        case .forgetsDates: ["dates.whole-second", "dates.long-ago", "dates.overwrite"]
        case .forgetsProgress: ["progress.read", "progress.write", "progress.stream", "progress.write-unknown"]
        case .countsBackwards: ["progress.read", "progress.read-part"]
        case .keepsETags: ["dates.e-tag"]
        case .searchesFlatOnly: ["searching.names", "searching.not-itself", "names.deep"]
        case .searchesTooDeep: ["searching.names", "searching.lists"]
        case .copiesFoldersEmpty: ["transfers.copy-tree", "names.folder-emoji"]
        case .copiesInsteadOfMoving:
            ["transfers.rename", "transfers.move-file", "overwriting.move-on", "names.file-emoji", "batches.moving"]
        case .movesOverwriting: ["overwriting.move-off", "overwriting.move-folder-off", "concurrency.moves"]
        case .replacesToKeepBoth:
            ["keeping-both.copy", "keeping-both.move", "keeping-both.folders", "keeping-both.write"]
        case .misnamesWhatKeepsBoth: ["keeping-both.copy", "keeping-both.write", "keeping-both.new-folder"]
        case .replacesFolders: ["overwriting.copy-merges", "overwriting.move-merges", "overwriting.copy-merge-clash"]
        case .removesByPrefix: ["removing.siblings", "batches.removing"]
        case .removesMissing: ["errors.remove-missing", "removing.twice", "concurrency.removers"]
        case .followsLinks: ["links.copying"]
        case .resolvesLinkTexts: ["links.text", "links.moving"]
        case .downloadsInPlace: ["errors.download-missing", "cancelling.download", "overwriting.download-to-folder"]
        case .claimsToBeReadOnly:
            ["read-only.changes", "read-only.existing", "read-only.stream-untouched", "batches.read-only"]
        case .tellsItsSecret: ["properties.debug-description"]
        case .isDeaf: ["monitoring.created", "monitoring.end", "handlers.notification"]
        case .forgetsRemovals: ["tracking.removed", "tracking.replica"]
        case .misnamesRemovals: ["tracking.removed", "tracking.replica"]
        case .acceptsAnyAnchor: ["tracking.unknown-anchor"]
        case .hasNoNews: ["tracking.wait-known", "tracking.wait-wakes"]
        case .alwaysHasNews: ["tracking.wait-over"]
        case .hidesErrorsOfWaits: ["tracking.wait-cancelled", "tracking.wait-unknown-anchor"]
        case .misnamesFolders: ["identity.parent"]
        case .keepsMetadataVersions: ["identity.metadata-version"]
        case .forgetsNamesBelowIdentifiers: ["identity.below"]
        case .startsAtTheRoot: ["identity.no-identifiers"]
        case .restoresOverwriting: ["trash.restore-onto"]
        case .emptiesAllTrash: ["trash.remove-some"]
        case .listsVersionsBackwards: ["versions.read", "versions.list", "versions.restore"]
        case .misplacesParts: ["parts.in-order", "parts.any-order", "parts.going-on"]
        case .inventsChecksums: ["parts.going-on"]
        case .finishesIncomplete: ["parts.incomplete"]
        case .finishesOverwriting: ["parts.appeared", "parts.changed"]
        case .keepsDiscardedParts: ["parts.discarding"]
        case .forgetsToNote: ["parts.noted-first"]
        case .endsBatchesAtFirstError:
            ["batches.removing-missing", "batches.removing-root", "batches.moving-existing", "batches.moving-failing"]
        case .hidesErrorsOfBatches:
            ["batches.removing-missing", "batches.removing-many", "batches.moving-many", "batches.moving-failing"]
        case .reversesBatches: ["batches.removing-related", "batches.moving-related"]
        case .reversesResultsOfBatches: ["batches.removing-root", "batches.removing-many", "batches.moving-many"]
        case .cutsBatchesShort: ["batches.removing-many", "batches.moving-many"]
        case .overwritesInBatches: ["batches.moving-existing"]
        case .neverOverwritesInBatches: ["batches.moving-onto"]
        case .forgetsDatesInBatches: ["batches.dates"]
        case .forgetsPictures: ["pictures.one"]
        case .mistakesListedPictures: ["pictures.listed"]
        case .reversesPictures, .endsAtFirstMissingPicture, .hidesErrorsOfPictures, .cutsPicturesShort:
            ["pictures.many"]
        }
    }
}
