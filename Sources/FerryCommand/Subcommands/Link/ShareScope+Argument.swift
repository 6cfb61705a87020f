import ArgumentParser
import FerryCore

extension ShareScope: ExpressibleByArgument {
    /// The meaning of each word, for the help.
    static var allValueDescriptions: [String: String] {
        [
            "anyone": "anybody who has the link",
            "organization": "members of your team or organization",
            "invited": "those to whom the item is shared by name",
        ]
    }
}
