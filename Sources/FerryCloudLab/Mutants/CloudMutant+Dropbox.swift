import NIOHTTP1

extension CloudMutant {
    /// The mistakes of the emulated Dropbox.
    static let dropbox = dropboxMetadata + dropboxListings + dropboxRequests + dropboxTransfers

    private static let dropboxMetadata: [CloudMutant] = [
        .objects("hash", of: "dropbox", "The content hash is that of other bytes.") { object, _ in
            object.changeText("content_hash") { $0.dropLast() + ($0.last == "0" ? "1" : "0") }
        },
        .objects("size", of: "dropbox", "The size is one byte more than the file has.") { object, _ in
            if object["content_hash"] != nil, let size = object["size"]?.integer { object["size"] = .integer(size + 1) }
        },
        .objects("size-type", of: "dropbox", "The size is a text.") { object, _ in
            if let size = object["size"]?.integer { object["size"] = .string(String(size)) }
        },
        .objects("date", of: "dropbox", "The client's date is a year early.") { object, _ in
            object.changeText("client_modified") { text in
                Int(text.prefix(4)).map { "\($0 - 1)" + text.dropFirst(4) } ?? text
            }
        },
        .objects("date-form", of: "dropbox", "The server's date has fractions of a second.") { object, _ in
            object.changeText("server_modified") { $0.replacing("Z", with: ".000Z") }
        },
        .objects("name-case", of: "dropbox", "Names are in lower case.") { object, _ in
            guard object["path_lower"] != nil else { return }
            object.changeText("name") { $0.lowercased() }
            object.changeText("path_display") { $0.lowercased() }
        },
        .objects("path-case", of: "dropbox", "The path in lower case isn't.") { object, _ in
            if object["path_lower"] != nil, let path = object["path_display"] { object["path_lower"] = path }
        },
        .objects("id", of: "dropbox", "A move gives the item another id.") { object, call in
            if call.route == "files/move_v2" { object.changeText("id") { $0 + "A" } }
        },
        .objects("rev", of: "dropbox", "All revisions have the same name.") { object, _ in
            if object["rev"] != nil { object["rev"] = "5000000000001" }
        },
        .objects("search-nesting", of: "dropbox", "The metadata of matches lie one level too high.") { object, call in
            guard call.route.hasPrefix("files/search") else { return }
            if let inner = object["metadata"]?["metadata"] { object["metadata"] = inner }
        },
    ]

    private static let dropboxListings: [CloudMutant] = [
        .objects("tag", of: "dropbox", "The entries of listings have no tag.") { object, call in
            guard call.isDropboxListing, object["path_lower"] != nil else { return }
            object[".tag"] = nil
        },
        .objects("page", of: "dropbox", "The pages between the first and the last are empty.") { object, call in
            if call.route == "files/list_folder/continue", object["has_more"] == true { object["entries"] = [] }
        },
        .objects("entry", of: "dropbox", "A page that isn't the last lacks its last entry.") { object, call in
            guard call.isDropboxListing, object["has_more"] == true else { return }
            object.changeArray("entries") { _ = $0.popLast() }
        },
        .objects("cursor-again", of: "dropbox", "The last page's cursor is the one that was sent.") { object, call in
            guard call.route == "files/list_folder/continue", object["has_more"] == false else { return }
            object["cursor"] = (try? JSONParser.parse(call.request.body.bytes))?["cursor"]
        },
        .objects("deleted", of: "dropbox", "Deletions are left out of changes.") { object, call in
            guard call.route == "files/list_folder/continue" else { return }
            object.changeArray("entries") { $0.removeAll { $0[".tag"] == "deleted" } }
        },
        .objects("longpoll", of: "dropbox", "A long poll never sees a change.") { object, call in
            if call.route == "files/list_folder/longpoll" { object["changes"] = false }
        },
        .request("longpoll-token", of: "dropbox", "A long poll accepts an access token.") { call in
            if call.route == "files/list_folder/longpoll" { call.request.headers.remove(name: "Authorization") }
        },
        .argument("recursive", "A listing never goes below the folder.") { argument in
            if argument["recursive"] != nil { argument["recursive"] = false }
        },
    ]

    private static let dropboxRequests: [CloudMutant] = [
        .argument("mode", "A file is replaced where the client said that it must not be.") { argument in
            if argument["mode"] == "add" || argument["mode"]?[".tag"] == "add" { argument["mode"] = "overwrite" }
        },
        .argument("revision", "A file is replaced whatever revision the client meant.") { argument in
            if argument["mode"]?[".tag"] == "update" { argument["mode"] = "overwrite" }
        },
        .argument("autorename", "An item whose name is taken gets no other one.") { argument in
            if argument["autorename"] != nil { argument["autorename"] = false }
        },
        .argument("client-date", "The date that the client sends is ignored.") { argument in
            argument["client_modified"] = nil
        },
        .argument("sent-hash", "The hash that the client sends is not compared.") { argument in
            argument["content_hash"] = nil
        },
        .request("move", of: "dropbox", "A move leaves the item where it was, too.") { call in
            if call.route == "files/move_v2" { call.route = "files/copy_v2" }
        },
    ]

    private static let dropboxTransfers: [CloudMutant] = [
        .request("truncated", of: "dropbox", "Uploads lose their last byte.") { call in
            if call.route == "files/upload" || call.route == "files/upload_session/start" {
                call.request.body = call.request.body.shortened
            }
        },
        .request("range", of: "dropbox", "The whole file is sent where a range is asked for.") { call in
            call.request.headers.remove(name: "Range")
        },
        .request("range-shifted", of: "dropbox", "A range begins and ends one byte late.") { call in
            call.request.shiftRange(by: 1)
        },
        .answer("bytes", of: "dropbox", "The last byte of a download is another one.") { response, call in
            if call.route == "files/download" || call.route == "temporary_link" { response.damageLastByte() }
        },
        .answer("status", of: "dropbox", "A missing item has the status 404.") { response, call in
            if response.status == 409, response.refusal?.contains("not_found") == true { response.status = 404 }
        },
        .answer("offset", of: "dropbox", "The right offset of a session is one byte off.") { response, _ in
            guard response.status == 409 else { return }
            response.changeJSON { value in
                value.changeObjects { object in
                    guard let offset = object["correct_offset"]?.integer else { return }
                    object["correct_offset"] = .integer(offset + 1)
                }
            }
        },
    ]

    /// Makes a mistake in the arguments of calls, and of the commits in them.
    private static func argument(
        _ name: String,
        _ mistake: String,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> CloudMutant {
        .request(name, of: "dropbox", mistake) { call in
            guard call.request.path.hasPrefix("/2/files/") else { return }
            call.request.changeArgument(change)
        }
    }
}

extension LabCall {
    /// A Boolean value that indicates whether the call lists a folder, or the changes in it.
    fileprivate var isDropboxListing: Bool {
        route == "files/list_folder" || route == "files/list_folder/continue"
    }
}
