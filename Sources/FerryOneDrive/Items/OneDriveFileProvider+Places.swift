import FerryCore
import FerryHTTP
import Foundation
import Synchronization

extension OneDriveFileProvider {
    // MARK: The drive

    /// Returns the address of the folder that paths begin at; it is asked for once, where options name a site or a folder.
    ///
    /// - Returns: The address.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func top() async throws -> GraphAddress {
        if let known = drive.withLock({ $0.top }) { return known }
        let path: String
        if case .site(let site) = options.drive {
            path = try await library(ofSite: site)
        } else {
            path = OneDriveKnownDrive.path(options.drive) ?? "/me/drive"
        }
        guard let folder = options.rootFolder else {
            let top = GraphAddress(drive: path, id: "root")
            drive.withLock { $0.top = top }
            return top
        }
        let isSpecial = Self.specialFolders.contains(folder.lowercased())
        let route =
            isSpecial ? "\(path)/special/\(folder.lowercased())" : GraphAddress(drive: path, id: folder).route()
        let item = try await connection.call(.get, route, as: GraphItem.self, about: .root)
        let names = item.parentReference?.path.flatMap { Self.names(inReference: $0) } ?? []
        let top = GraphAddress(drive: path, id: item.id)
        drive.withLock { drive in
            drive.top = top
            drive.namesAbove = item.root == nil ? names + [item.name].compactMap { $0 } : []
        }
        note([item], foreignDriveID: nil)
        return top
    }

    /// The folders that the service knows by a name of its own.
    private static let specialFolders: Set = ["approot", "documents", "photos", "cameraroll", "music"]

    private func library(ofSite text: String) async throws -> String {
        guard let path = OneDriveDrive.sitePath(text) else {
            throw URLError.answer(.badURL, description: "the option site names no site")
        }
        let site: JSONValue
        do {
            site = try await connection.call(.get, path, about: .root)
        } catch let error as OneDriveError where [400, 404].contains(error.answeredStatusCode) {
            throw CocoaError.noSuchDrive(options.drive, underlying: error)
        }
        guard let id = site["id"].string else {
            throw URLError.answer(.cannotParseResponse, description: "the service does not name the site")
        }
        let library = try await connection.call(
            .get,
            "/sites/\(GraphAddress.encoded(id, besides: ","))/drive",
            about: .root
        )
        guard let driveID = library["id"].string else {
            throw URLError.answer(.cannotParseResponse, description: "the service does not name the site's library")
        }
        drive.withLock { drive in
            drive.id = driveID
            drive.type = library["driveType"].string.map { OneDriveDriveType($0) }
        }
        return "/drives/\(GraphAddress.encoded(driveID))"
    }

    /// Returns the sort of the drive; it is asked for unless an answer has named it.
    ///
    /// - Returns: The sort.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func driveType() async throws -> OneDriveDriveType? {
        if let known = drive.withLock({ $0.type }) { return known }
        let answer = try await connection.call(.get, try await top().drive, about: .root)
        drive.withLock { drive in
            drive.id = answer["id"].string ?? drive.id
            drive.type = answer["driveType"].string.map { OneDriveDriveType($0) } ?? drive.type
        }
        return drive.withLock { $0.type }
    }

    /// Notes what answers say of the provider's own drive.
    ///
    /// - Parameters:
    ///   - items: The items of an answer.
    ///   - foreignDriveID: The identifier of their drive where that is another one.
    func note(_ items: some Collection<GraphItem>, foreignDriveID: String?) {
        guard foreignDriveID == nil, let place = items.first?.parentReference else { return }
        drive.withLock { drive in
            if drive.id == nil { drive.id = place.driveID }
            if drive.type == nil { drive.type = place.driveType.map { OneDriveDriveType($0) } }
        }
    }

    // MARK: Places

    /// Returns where an item is, as far as that is known without asking for it.
    ///
    /// - Parameters:
    ///   - path: The item, by path or identifier, or by names below an identifier.
    ///   - followingShortcut: A Boolean value that indicates whether a shortcut at the path itself is followed.
    /// - Returns: Its place.
    /// - Throws: ``OneDriveError``; errors of the connection; `CocoaError.fileNoSuchFile` for a revision.
    func place(of path: ItemPath, followingShortcut: Bool = false) async throws -> OneDrivePlace {
        if let id = path.identifier {
            if followingShortcut, let (_, folder) = folders.shortcut(above: path, excludingItself: false) {
                return OneDrivePlace(address: folder.address, foreignDriveID: folder.foreignDriveID)
            }
            return try await place(of: OneDriveItemID(id))
        }
        let place: OneDrivePlace
        var names = path.components[...]
        if let (shortcut, folder) = folders.shortcut(above: path, excludingItself: !followingShortcut) {
            place = OneDrivePlace(address: folder.address, foreignDriveID: folder.foreignDriveID)
            names = names.dropFirst(shortcut.components.count)
        } else if let id = path.leadingIdentifier {
            place = try await self.place(of: OneDriveItemID(id))
        } else {
            guard !path.beginsWithIdentifier else { throw CocoaError.noSuchItem(path) }
            place = OneDrivePlace(address: try await top(), foreignDriveID: nil)
        }
        var address = place.address
        for component in names {
            address = address.appending(try await serverName(NameEscape.name(ofComponent: component)))
        }
        return OneDrivePlace(address: address, foreignDriveID: place.foreignDriveID)
    }

    /// Returns where an item is that is known by its identifier.
    ///
    /// - Parameter id: The identifier.
    /// - Returns: Its place.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func place(of id: OneDriveItemID) async throws -> OneDrivePlace {
        let own = drive.withLock { $0.id }
        if let foreign = id.drive, foreign.lowercased() != own?.lowercased() {
            let address = GraphAddress(drive: "/drives/\(GraphAddress.encoded(foreign))", id: id.item)
            return OneDrivePlace(address: address, foreignDriveID: foreign)
        }
        return OneDrivePlace(address: GraphAddress(drive: try await top().drive, id: id.item), foreignDriveID: nil)
    }

    /// Returns a name as the service takes it.
    ///
    /// - Parameter name: Any name.
    /// - Returns: The name to send.
    /// - Throws: Errors of asking for the sort of the drive, on which a few names depend.
    func serverName(_ name: String) async throws -> String {
        let type = OneDriveName.dependsOnDrive(name) ? try await driveType() : drive.withLock { $0.type }
        return OneDriveName.encode(name, in: type)
    }

    /// Does something at an item's place; where nothing is there, shortcuts above it are looked for first.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - followingShortcut: A Boolean value that indicates whether a shortcut at the path itself is followed.
    ///   - body: The work; it throws ``OneDriveError`` where nothing is at the place.
    /// - Returns: The result of the body.
    /// - Throws: Any error that the body throws; errors of the connection.
    func atPlace<Value>(
        of path: ItemPath,
        followingShortcut: Bool = false,
        _ body: (OneDrivePlace) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body(try await place(of: path, followingShortcut: followingShortcut))
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            try await requireDrive()
            guard try await findShortcut(above: path) else { throw error }
            return try await body(try await place(of: path, followingShortcut: followingShortcut))
        }
    }

    /// Makes sure that the drive is there that the options name, since no item of another one is found either.
    ///
    /// It is asked for unless an answer has named it. A drive that shows its items only says nothing about them.
    ///
    /// - Throws: `CocoaError.noSuchDrive`; errors of the connection.
    func requireDrive() async throws {
        // A folder that paths begin at was asked for before.
        guard options.rootFolder == nil else { return }
        switch options.drive {
        case .id, .user: break
        case .me, .site: return
        }
        do {
            _ = try await driveType()
        } catch let error as OneDriveError where [400, 404].contains(error.answeredStatusCode) {
            throw CocoaError.noSuchDrive(options.drive, underlying: error)
        } catch let error as OneDriveError where error.reason == .notAllowed {
            // The drive is there.
        }
    }

    /// Looks for a shortcut to another drive above an item that was not found.
    ///
    /// - Parameter path: The item.
    /// - Returns: `true` if one was found that was not known before.
    /// - Throws: ``OneDriveError``; errors of the connection.
    func findShortcut(above path: ItemPath) async throws -> Bool {
        let parent = path.parent
        guard !path.isIdentifier, !parent.isRoot else { return false }
        if let known = folders.folder(at: parent) {
            // A folder of another drive may have been found through a shortcut that is no longer remembered.
            return known.foreignDriveID == nil ? false : try await findShortcut(above: parent)
        }
        do {
            let place = try await place(of: parent)
            let item = try await graphItem(at: place, about: parent)
            return remember(item, at: parent, place) && item.shortcutTarget != nil
        } catch let error as OneDriveError where error.reason == .noSuchItem {
            return try await findShortcut(above: parent)
        }
    }

    // MARK: Folders

    /// Returns a folder, so that items in it can be addressed; a shortcut leads to the folder in the other drive.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - isWriting: A Boolean value that indicates whether something is to be changed in it.
    /// - Returns: The folder.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.notAFolder(_:whileWriting:)`; errors of the connection.
    func folder(at path: ItemPath, whileWriting isWriting: Bool = true) async throws -> OneDriveFolder {
        if let known = folders.folder(at: path) { return known }
        return try await mappingRefusals(whileWriting: isWriting) {
            if path.isRoot {
                if isWriting { try await requireDrive() }
                let id = drive.withLock { $0.id }
                return OneDriveFolder(address: try await top(), id: nil, driveID: id, foreignDriveID: nil)
            }
            return try await atPlace(of: path) { place in
                let item = try await graphItem(at: place, about: path)
                guard remember(item, at: path, place), let folder = folders.folder(at: path) else {
                    throw item.kind == .other
                        ? Self.isAPackage(path) : CocoaError.notAFolder(path, whileWriting: isWriting)
                }
                return folder
            }
        }
    }

    /// Notes a folder, or a shortcut to one.
    ///
    /// - Parameters:
    ///   - item: An item.
    ///   - path: Its path.
    ///   - place: Its place.
    /// - Returns: `false` for an item that is neither.
    @discardableResult
    func remember(_ item: GraphItem, at path: ItemPath, _ place: OneDrivePlace) -> Bool {
        guard item.kind == .directory else {
            folders.noteNoFolder(at: path)
            return false
        }
        if let target = item.shortcutTarget, let driveID = target.drive {
            let folder = OneDriveFolder(
                address: GraphAddress(drive: "/drives/\(GraphAddress.encoded(driveID))", id: target.item),
                id: target.item,
                driveID: driveID,
                foreignDriveID: driveID
            )
            folders.noteShortcut(to: folder, at: path)
        } else {
            let folder = OneDriveFolder(
                address: GraphAddress(drive: place.address.drive, id: item.id),
                id: item.id,
                driveID: item.parentReference?.driveID ?? place.foreignDriveID,
                foreignDriveID: place.foreignDriveID
            )
            folders.note(folder, at: path)
        }
        return true
    }

    /// Returns the error for something that is neither a file nor a folder, and is opened by its own app only.
    static func isAPackage(_ path: ItemPath) -> CocoaError {
        CocoaError.file(
            .featureUnsupported,
            path: path,
            description: "is a package, such as a notebook, which only its own app opens"
        )
    }

    // MARK: Names of folders

    /// Reads the path of a folder from the reference of an item.
    ///
    /// - Parameter text: Such as `/drive/root:/A%20B`, or `/drives/1/root:`.
    /// - Returns: The names from the top of the drive, as the service has them; `nil` for another text.
    static func names(inReference text: String) -> [String]? {
        guard let mark = text.range(of: "root:") else { return nil }
        return text[mark.upperBound...].split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }

    /// Returns the path of a folder that the reference of an item names.
    ///
    /// - Parameter reference: The reference of an item in the provider's own drive.
    /// - Returns: The path; `nil` where the reference does not say, or the folder is outside of the one that paths begin
    ///   at.
    func folderPath(_ reference: GraphReference?) -> ItemPath? {
        guard let text = reference?.path, let names = Self.names(inReference: text) else { return nil }
        let (above, type) = drive.withLock { ($0.namesAbove, $0.type) }
        guard names.count >= above.count,
            zip(names, above).allSatisfy({ $0.0.lowercased() == $0.1.lowercased() })
        else { return nil }
        return names.dropFirst(above.count).reduce(.root) { $0.appending(OneDriveName.decode($1, in: type)) }
    }
}
