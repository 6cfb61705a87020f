import Foundation
import NIOHTTP1
import Synchronization

/// A request to the API whose address is right and whose token is good.
struct GraphCall: Sendable {
    /// The part of a drive that may be used.
    enum Access: Sendable, Equatable {
        case all
        /// Some items and all below them.
        case below([CloudItem.ID])
    }

    let lab: GraphLab
    let account: GraphAccount
    let scopes: Set<String>?
    /// The drive that is addressed; the account's own where none is.
    let drive: GraphDrive
    let access: Access
    let address: GraphAddress
    let options: GraphOptions
    let settings: GraphSettings
    let request: LabRequest

    /// The date that the clock shows.
    var now: Date { lab.clock.now }
    var storage: CloudStorage { drive.storage }
    /// The misbehaviour that the operation is to show.
    var fault: Fault? { request.fault }
    /// The base URL of pre-authorised addresses.
    var contentURL: String { request.baseURLs["content"] ?? "" }
    /// The base URL of the API.
    var apiURL: String { (request.baseURLs["api"] ?? "") + "/v1.0" }

    /// Makes a JSON answer with the context that the service adds.
    func answer(_ fields: JSONObject, status: Int = 200, context: String) -> LabResponse {
        let members = [("@odata.context", JSONValue.string("\(apiURL)/$metadata#\(context)"))]
        return LabResponse(
            status,
            json: .object(JSONObject(members + fields.members.map { ($0.name, $0.value) }))
        )
    }

    /// Makes an answer with some of the properties, if the address asks for some.
    func selection(_ fields: JSONObject) -> JSONObject {
        guard let select = options.select.map(Set.init) else { return fields }
        return JSONObject(fields.members.filter { select.contains($0.name) }.map { ($0.name, $0.value) })
    }

    /// Reads the body of the request.
    ///
    /// - Parameters:
    ///   - shape: The form.
    ///   - isOptional: A Boolean value that indicates whether there may be no body.
    /// - Returns: The body, an object.
    /// - Throws: A refusal with status 400.
    func body(_ shape: GraphShape, isOptional: Bool = false) throws -> JSONValue {
        if isOptional, request.body.count == 0 { return [:] }
        let type = request.headers.first(name: "content-type")?.lowercased() ?? ""
        guard type == "application/json" || type.hasPrefix("application/json;") else {
            throw GraphRefusal.invalid("The Content-Type must be application/json.")
        }
        var value: JSONValue
        do {
            value = try JSONParser.parse(request.body.bytes)
        } catch {
            throw GraphRefusal.invalid("Unable to read JSON request payload (byte \(error.offset)).")
        }
        if let conflict = value["@name.conflictBehavior"], var object = value.object {
            // The name that the annotation had in OneDrive's first API, which rclone still sends.
            object["@name.conflictBehavior"] = nil
            object[GraphShape.conflictBehavior] = conflict
            value = .object(object)
        }
        if let complaint = shape.complaint(about: value) {
            throw GraphRefusal.invalid("Invalid request: \(complaint).")
        }
        return value
    }

    /// Returns the dates that a body sets, cut as precisely as the drive keeps them.
    func dates(_ body: JSONValue?) -> (created: Date?, modified: Date?) {
        func date(_ name: String) -> Date? {
            guard let date = body?["fileSystemInfo"]?[name]?.string.flatMap(GraphTimestamp.date) else { return nil }
            let unit: TimeInterval = drive.isPersonal ? 1000 : 1
            return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * unit + 0.001).rounded(.down) / unit)
        }
        return (date("createdDateTime"), date("lastModifiedDateTime"))
    }

    /// Checks the conditions of a request that changes an item.
    ///
    /// - Parameter item: The item; `nil` if there is none.
    /// - Throws: A refusal with status 412.
    func checkConditions(_ item: CloudItem?) throws {
        func matches(_ field: String) -> Bool {
            guard let item else { return false }
            return field == "*" || drive.tags(of: item).contains { Self.bare($0) == Self.bare(field) }
        }
        if let field = request.headers.first(name: "if-match"), !matches(field) { throw GraphRefusal.modified }
        if let field = request.headers.first(name: "if-none-match"), matches(field) { throw GraphRefusal.modified }
    }

    /// Returns `true` if the client has the item already.
    func isUnchanged(_ item: CloudItem) -> Bool {
        guard let field = request.headers.first(name: "if-none-match") else { return false }
        return drive.tags(of: item).contains { Self.bare($0) == Self.bare(field) }
    }

    private static func bare(_ tag: String) -> String {
        var tag = tag[...]
        if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
        return String(tag.replacing("\"", with: ""))
    }
}
