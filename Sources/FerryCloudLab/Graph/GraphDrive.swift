import Foundation

/// A drive: the files of a user or of a site.
final class GraphDrive: Sendable {
    /// The identifier; clients may write it in upper or lower case.
    let id: String
    let type: GraphDriveType
    /// The name of the drive, such as `OneDrive`.
    let name: String
    let ownerID: String
    let ownerName: String
    /// The site whose library the drive is.
    let siteID: String?
    /// The address at which people see the files in a browser.
    let webURL: String
    let created: Date
    let storage: CloudStorage
    /// The beginning of the identifiers of all items.
    private let itemPrefix: String

    init(
        id: String,
        type: GraphDriveType,
        name: String,
        owner: (id: String, name: String),
        siteID: String? = nil,
        webURL: String,
        itemPrefix: String,
        quota: Int64?,
        clock: LabClock
    ) {
        self.id = id
        self.type = type
        self.name = name
        ownerID = owner.id
        ownerName = owner.name
        self.siteID = siteID
        self.webURL = webURL
        self.itemPrefix = itemPrefix
        created = clock.now
        let tree = CloudTree(
            hashKinds: type == .personal ? [.quickXor, .sha1] : [.quickXor],
            logsBelowMoves: false,
            quota: quota,
            date: clock.now
        )
        storage = CloudStorage(tree: tree, clock: clock)
    }
}

extension GraphDrive {
    /// A Boolean value that indicates whether the drive belongs to a private person.
    var isPersonal: Bool { type == .personal }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    private static let digitCount = 22

    /// Returns the identifier of an item.
    func itemID(_ id: CloudItem.ID) -> String {
        guard !isPersonal else { return "\(itemPrefix)!\(100 + id)" }
        var (number, text) = (id, [Character]())
        for _ in 0..<Self.digitCount {
            text.append(Self.digits[number % Self.digits.count])
            number /= Self.digits.count
        }
        return itemPrefix + String(text.reversed())
    }

    /// Returns the number of the item with an identifier; `nil` if it has another form.
    func number(ofItem id: String) -> CloudItem.ID? {
        if id.lowercased() == "root" { return CloudTree.rootID }
        let id = id.uppercased()
        guard id.hasPrefix(itemPrefix) else { return nil }
        let rest = id.dropFirst(itemPrefix.count)
        guard !isPersonal else {
            guard rest.first == "!", let number = Int(rest.dropFirst()), number > 100 else { return nil }
            return number - 100
        }
        guard rest.count == Self.digitCount else { return nil }
        var number = 0
        for letter in rest {
            guard let digit = Self.digits.firstIndex(of: letter) else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: Self.digits.count)
            guard !overflow else { return nil }
            number = product + digit
        }
        return number
    }
}

/// A kind of drive, with the service's word for it.
public enum GraphDriveType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The OneDrive of a private person.
    case personal
    /// The OneDrive of a member of an organisation.
    case business
    /// A document library of a SharePoint site.
    case documentLibrary
}

extension GraphDrive {
    /// Returns the tag that changes with every change of an item.
    func eTag(of item: CloudItem) -> String {
        let text = "\(itemID(item.id)).\(item.revision)"
        guard isPersonal else { return "\"{\(itemID(item.id))},\(item.revision)\"" }
        return "a" + Data(text.utf8).base64EncodedString().replacing("=", with: "")
    }

    /// Returns the tag that changes with the contents of a file; `nil` for a folder.
    func cTag(of item: CloudItem) -> String? {
        guard let version = item.version else { return nil }
        let text = "\(itemID(item.id)).\(version.number)"
        guard isPersonal else { return "\"c:{\(itemID(item.id))},\(version.number)\"" }
        return "c" + Data(text.utf8).base64EncodedString().replacing("=", with: "")
    }

    /// Returns the tags by which a condition can name the state of an item.
    func tags(of item: CloudItem) -> [String] { [eTag(of: item)] + (cTag(of: item).map { [$0] } ?? []) }
}
