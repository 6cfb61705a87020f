/// The behaviour of each kind of server, seen on the versions that the tests run against.
extension WebDAVTraits {
    /// The behaviour of a server: what was learnt by trying goes before what is known of its kind.
    ///
    /// - Parameter facts: The known facts about the server.
    package init(_ facts: WebDAVServerFacts) {
        let kind = WebDAVServerKind(facts)
        self.init(kind)
        if kind == .golang, Self.isModernRclone(facts.software) { dateSetting = .field }
        let tried = facts.tried
        absenceCondition = tried.absenceCondition ?? absenceCondition
        dateSetting = tried.dateSetting ?? dateSetting
        refusesExistingFolders = tried.refusesExistingFolders ?? refusesExistingFolders
        hasCoarseETags = tried.hasCoarseETags ?? hasCoarseETags
        readsRanges = tried.readsRanges ?? readsRanges
        takesRanges = tried.takesRanges ?? takesRanges
        isCaseSensitive = tried.isCaseSensitive ?? isCaseSensitive
        distinguishesNormalizationForms = tried.distinguishesNormalizationForms ?? distinguishesNormalizationForms
        refusesMoves = tried.refusesMoves ?? false
        // Parts come to a name that they would have to be moved from.
        if refusesMoves { takesRanges = false }
        if let listed = tried.listsDotNames {
            listsDotNames = listed
            hidesDotNames = !listed
        }
    }

    /// The behaviour of servers of a kind.
    ///
    /// - Parameter kind: Which server it is.
    package init(_ kind: WebDAVServerKind) {
        switch kind {
        case .apache: self = .apache
        case .nginx: self = .nginx
        case .lighttpd: self = .lighttpd
        case .wsgidav: self = .wsgidav
        case .golang: self = .golang
        case .nextcloud: self = .nextcloud
        case .yandex: self = .yandex
        case .fastmail: self = .fastmail
        case .unknown: self.init()
        }
    }

    private static let apache = WebDAVTraits { traits in
        traits.createsByPut = true
        traits.replacesByPut = true
        traits.checksLength = true
        traits.takesChunkedBodies = true
        // Looked at when the request begins only: two `PUT`s at once can both be the first, and so can two `MOVE`s.
        traits.absenceCondition = .ifNoneMatch
        // While a file is fresh its eTag is weak, and no weak eTag meets `If-Match`, not even the right one.
        traits.eTagCondition = .ifHeader
        traits.refusesExistingFolders = true
        traits.hasCoarseETags = false
        traits.readsRanges = true
        traits.takesRanges = true
        traits.takesControlCharacters = true
        traits.takesAnyBytes = true
        traits.reservedNames = [".DAV"]
        traits.maximumNameLength = 255
        traits.guardsTargets = true
        traits.makesMissingFolders = false
        traits.explainsByFolders = true
        traits.listsDotNames = true
    }

    private static let nginx = WebDAVTraits { traits in
        // It looks at no condition. `Overwrite: F` is looked at before the rename, by each worker process on its own.
        traits.createsByPut = true
        traits.replacesByPut = true
        traits.checksLength = true
        traits.takesChunkedBodies = true
        traits.refusesExistingFolders = true
        traits.readsRanges = true
        traits.forgetsLocks = true
        traits.hidesDotNames = true
        traits.takesControlCharacters = true
        traits.maximumNameLength = 255
        traits.guardsTargets = true
        traits.explainsByFolders = true
    }

    private static let lighttpd = WebDAVTraits { traits in
        traits.createsByPut = true
        traits.replacesByPut = true
        traits.checksLength = true
        traits.takesChunkedBodies = true
        // Looked at when all of the body has come, by the only process there is.
        traits.absenceCondition = .ifNoneMatch
        traits.eTagCondition = .ifMatch
        traits.forgetsLocks = true
        traits.createsExclusively = true
        traits.refusesExistingFolders = true
        traits.hasCoarseETags = false
        traits.readsRanges = true
        traits.maximumNameLength = 255
        // It appends to a name while content comes in.
        traits.maximumPutNameLength = 245
        // A file that is moved or copied onto a folder goes into it.
        traits.guardsTargets = false
        traits.makesMissingFolders = false
        traits.explainsByFolders = true
        traits.listsDotNames = true
    }

    private static let wsgidav = WebDAVTraits { traits in
        traits.takesChunkedBodies = true
        // A `PUT` looks at `If-Match`, but writes into the file itself.
        traits.eTagCondition = .lock
        traits.refusesExistingFolders = true
        traits.readsRanges = true
        traits.takesControlCharacters = true
        // It decodes a Destination before it takes that apart: these, and what follows some of them, are lost, and the
        // item gets another name.
        traits.forbiddenCharacters = "?;\t\r\n"
        traits.maximumNameLength = 255
        traits.guardsTargets = true
        traits.makesMissingFolders = false
        traits.forbiddenInTargets = "?"
        traits.listsDotNames = true
    }

    private static let golang = WebDAVTraits { traits in
        traits.takesChunkedBodies = true
        // It looks at no condition.
        traits.eTagCondition = .lock
        traits.keepsLocksOfNames = true
        traits.breaksListings = true
        traits.hasCoarseETags = false
        traits.readsRanges = true
        // A name with a control character makes the listing of its folder unreadable.
        traits.takesControlCharacters = false
        traits.maximumNameLength = 255
        traits.guardsTargets = true
        traits.makesMissingFolders = false
        traits.explainsByFolders = true
        traits.listsDotNames = true
    }

    /// Returns whether a server gives files the dates that come with them: `rclone serve webdav` does, though it
    /// doesn't say so.
    ///
    /// It was seen to do so as of 1.65, and not in 1.60.
    private static func isModernRclone(_ software: String?) -> Bool {
        guard let version = software?.lowercased().wholeMatch(of: /rclone\/v([0-9]{1,4})\.([0-9]{1,4})\..*/),
            let major = Int(version.1), let minor = Int(version.2)
        else { return false }
        return (major, minor) >= (1, 65)
    }

    private static let nextcloud = WebDAVTraits { traits in
        // A write that breaks off takes the old content with it.
        traits.createsByPut = true
        traits.absenceCondition = .ifNoneMatch
        traits.refusesExistingFolders = true
        traits.hasCoarseETags = false
        traits.dateSetting = .field
        traits.readsRanges = true
        traits.distinguishesNormalizationForms = false
        traits.forbiddenCharacters = "\\"
        traits.reservedNames = [".htaccess"]
        traits.maximumNameLength = 250
        traits.guardsTargets = true
        traits.makesMissingFolders = false
        traits.listsDotNames = true
    }

    /// <https://yandex.com/dev/disk/doc/en/concepts/api-methods>: everybody gets a lock, and nobody is kept out by it.
    private static let yandex = WebDAVTraits { traits in
        traits.takesChunkedBodies = true
        traits.hasIdleLocks = true
        traits.keepsContentTypes = true
        traits.maximumNameLength = 255
    }

    /// The behaviour that rclone knows of: <https://rclone.org/webdav/#fastmail-files>.
    private static let fastmail = WebDAVTraits { traits in
        traits.takesChunkedBodies = true
        traits.dateSetting = .field
        traits.tellsSHA1 = true
        traits.keepsContentTypes = true
    }
}
