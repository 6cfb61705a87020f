import Foundation
import NIOHTTP1

extension CloudMutant {
    /// The mistakes of the emulated Microsoft Graph.
    static let graph = graphItems + graphListings + graphRequests + graphTransfers

    private static let graphItems: [CloudMutant] = [
        .objects("hash", of: "graph", "The QuickXorHash is that of other bytes.") { object, _ in
            object.changeText("quickXorHash") { ($0.first == "A" ? "B" : "A") + $0.dropFirst() }
        },
        .objects("size", of: "graph", "The size is one byte more than the file has.") { object, _ in
            if object["file"] != nil, let size = object["size"]?.integer { object["size"] = .integer(size + 1) }
        },
        .objects("size-type", of: "graph", "The size is a text.") { object, _ in
            if let size = object["size"]?.integer { object["size"] = .string(String(size)) }
        },
        .objects("date", of: "graph", "The client's date is a year early.") { object, _ in
            // An item has more than the dates of its file system.
            guard object["lastModifiedDateTime"] != nil, object["id"] == nil else { return }
            object.changeText("lastModifiedDateTime") { text in
                Int(text.prefix(4)).map { "\($0 - 1)" + text.dropFirst(4) } ?? text
            }
        },
        .objects("date-form", of: "graph", "The date of a change has no time zone.") { object, _ in
            object.changeText("lastModifiedDateTime") { $0.replacing("Z", with: "") }
        },
        .objects("name-case", of: "graph", "Names are in lower case.") { object, _ in
            if object["file"] != nil || object["folder"] != nil { object.changeText("name") { $0.lowercased() } }
        },
        .objects("id", of: "graph", "A move or a new name gives the item another id.") { object, call in
            if call.request.method == .PATCH, object["parentReference"] != nil { object.changeText("id") { $0 + "A" } }
        },
        .objects("etag", of: "graph", "All items have the same entity tag.") { object, _ in
            if object["eTag"] != nil { object["eTag"] = #""{00000000-0000-0000-0000-000000000000},1""# }
        },
        .objects("folder", of: "graph", "Folders have no facet that says so.") { object, _ in
            if object["parentReference"] != nil { object["folder"] = nil }
        },
        .objects("parent", of: "graph", "Items have no reference to their parent.") { object, _ in
            if object["name"] != nil { object["parentReference"] = nil }
        },
    ]

    private static let graphListings: [CloudMutant] = [
        .objects("next-link", of: "graph", "A listing has one page only.") { object, call in
            if call.isListingOfChildren { object["@odata.nextLink"] = nil }
        },
        .objects("page", of: "graph", "The pages of a listing but the last one are empty.") { object, call in
            if call.isListingOfChildren, object["@odata.nextLink"] != nil { object["value"] = [] }
        },
        .objects("entry", of: "graph", "A page that isn't the last lacks its last entry.") { object, _ in
            if object["@odata.nextLink"] != nil { object.changeArray("value") { _ = $0.popLast() } }
        },
        .objects("deleted", of: "graph", "Deletions are left out of changes.") { object, _ in
            object.changeArray("value") { $0.removeAll { $0["deleted"] != nil } }
        },
        .objects("delta-link", of: "graph", "The last page of changes has no link to go on with.") { object, _ in
            object["@odata.deltaLink"] = nil
        },
        .objects("delta-again", of: "graph", "The last page's link is the one that was followed.") { object, call in
            guard let sent = call.deltaToken, sent != "latest" else { return }
            object.changeText("@odata.deltaLink") { $0.withToken(sent) }
        },
    ]

    private static let graphRequests: [CloudMutant] = [
        .request("if-match", of: "graph", "The entity tag that the client means is ignored.") { call in
            call.request.headers.remove(name: "If-Match")
        },
        conflict("conflict", "An item is replaced where the client said that it must not be.", "fail", "replace"),
        conflict("rename", "An item whose name is taken gets no other one.", "rename", "fail"),
        .request("client-date", of: "graph", "The dates that the client sends are ignored.") { call in
            call.request.changeArgument { $0["fileSystemInfo"] = nil }
        },
        .request("move", of: "graph", "An item that is moved stays where it was.") { call in
            if call.request.method == .PATCH { call.request.changeArgument { $0["parentReference"] = nil } }
        },
        .request("upload-token", of: "graph", "Pre-authorised addresses accept an access token.") { call in
            if call.request.endpoint == "content" { call.request.headers.remove(name: "Authorization") }
        },
        .answer("location", of: "graph", "The answer to a copy has no address to ask for its end.") { response, call in
            if call.request.method == .POST, response.status == 202 { response.headers.remove(name: "Location") }
        },
        .answer("status", of: "graph", "A missing item has the status 400.") { response, _ in
            if response.status == 404 { response.status = 400 }
        },
    ]

    private static let graphTransfers: [CloudMutant] = [
        .request("truncated", of: "graph", "Uploads in one request lose their last byte.") { call in
            if call.request.method == .PUT, !call.isFragment { call.request.body = call.request.body.shortened }
        },
        .request("fragment", of: "graph", "The last byte of each fragment is stored as another one.") { call in
            if call.isFragment { call.request.body = call.request.body.damaged }
        },
        .objects("ranges", of: "graph", "The range that is expected next begins 320 KiB late.") { object, _ in
            object.changeArray("nextExpectedRanges") { ranges in
                ranges = ranges.map { range in
                    let first = range.string?.split(separator: "-").first.flatMap { Int($0) } ?? 0
                    return .string("\(first + 320 * 1024)-")
                }
            }
        },
        .request("range", of: "graph", "The whole file is sent where a range is asked for.") { call in
            call.request.headers.remove(name: "Range")
        },
        .request("range-shifted", of: "graph", "A range begins and ends one byte late.") { call in
            call.request.shiftRange(by: 1)
        },
        .answer("bytes", of: "graph", "The last byte of a download is another one.") { response, call in
            let isJSON = response.headers.first(name: "Content-Type")?.hasPrefix("application/json") == true
            if call.request.endpoint == "content", call.request.method == .GET, !isJSON { response.damageLastByte() }
        },
    ]

    /// Makes a mistake in what is done with an item whose name is taken.
    private static func conflict(_ name: String, _ mistake: String, _ old: String, _ new: String) -> CloudMutant {
        .request(name, of: "graph", mistake) { call in
            let field = "@microsoft.graph.conflictBehavior"
            for index in call.request.query.indices where call.request.query[index].name == field {
                if call.request.query[index].value == old { call.request.query[index].value = new }
            }
            call.request.changeArgument { argument in argument.changeText(field) { $0 == old ? new : $0 } }
        }
    }
}

extension LabCall {
    /// A Boolean value that indicates whether the call lists a folder.
    fileprivate var isListingOfChildren: Bool {
        request.method == .GET && request.path.hasSuffix("/children")
    }

    /// A Boolean value that indicates whether the call sends a part of a file.
    fileprivate var isFragment: Bool {
        request.method == .PUT && request.headers.contains(name: "Content-Range")
    }

    /// The token of the change feed that the client sends, which is a parameter or the argument of the function.
    fileprivate var deltaToken: String? {
        if let token = request.parameter("token") { return token }
        let path = request.path.removingPercentEncoding ?? request.path
        return path.firstRange(of: "(token='").map { String(path[$0.upperBound...].prefix { $0 != "'" }) }
    }
}

extension String {
    /// Returns a link of the change feed with another token.
    fileprivate func withToken(_ token: String) -> String {
        guard let place = firstRange(of: "token=") else { return self }
        let isArgument = self[place.upperBound...].hasPrefix("'")
        let (start, end): (String, Character) = isArgument ? ("'", "'") : ("", "&")
        let rest = self[place.upperBound...].dropFirst(start.count).drop { $0 != end }
        return self[..<place.upperBound] + start + token + rest
    }
}
