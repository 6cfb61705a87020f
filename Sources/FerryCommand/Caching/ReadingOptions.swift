import ArgumentParser
import FerryCache

/// The options of everything that reads remotes, and shows what it has read.
struct ReadingOptions: ParsableArguments {
    @Flag(help: "Ask no remote: show what is kept of it.")
    var offline = false

    @Flag(help: "Fetch all anew, also what is kept and still right.")
    var fresh = false

    func validate() throws {
        if offline, fresh { throw ValidationError("--offline and --fresh exclude each other") }
    }

    /// How listings and facts are read.
    ///
    /// To know whether what is kept is still right takes a question, whose answer is all that was wanted: so what is
    /// kept is for later runs offline only.
    var ofItems: CacheUse { .reading(offline ? .onlyIfCached : .doNotReturnCachedResult) }

    /// How contents are read: those that the storage still has the same are not fetched again.
    var ofContents: CacheUse { .reading(offline ? .onlyIfCached : fresh ? .doNotReturnCachedResult : .validate) }
}
