import Foundation
import HTTPTypes
import Synchronization

extension NextcloudServer {
    func ocs(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let version = request.names.count > 1 ? request.names[1] : ""
        guard request["ocs-apirequest"] == "true" else {
            return json(["message": "CSRF check failed"], 412)
        }
        let place = request.names.dropFirst(2).joined(separator: "/")
        switch (request.method, place) {
        case ("GET", "cloud/capabilities"): return ocsAnswer(version, request, 200, "OK", data: capabilities(request))
        case ("GET", "cloud/user"): return ocsAnswer(version, request, 200, "OK", data: userData(request.user))
        case ("GET", "core/getapppassword"): return makeAppPassword(version, request)
        case ("DELETE", "core/apppassword"):
            let password = basic(request)?.password ?? ""
            let isKnown = state.withLock { state in
                let isKnown = state.users[request.user]?.appPasswords.contains(password) ?? false
                state.users[request.user]?.appPasswords.removeAll { $0 == password }
                return isKnown
            }
            return ocsAnswer(version, request, isKnown ? 200 : 403, isKnown ? "OK" : "", data: [String]())
        case (_, let place) where place.hasPrefix("apps/files_sharing/api/v1/shares"):
            return try await shares(version, request)
        default: return ocsAnswer(version, request, 998, "Invalid query, please check the syntax.", data: [String]())
        }
    }

    /// Version 1 says everything with HTTP's 200 and a code of its own; version 2 with HTTP's codes (quirk 10).
    func ocsAnswer(_ version: String, _ request: NextcloudRequest, _ code: Int, _ words: String, data: Any)
        -> LoopbackAnswer
    {
        let isFirst = version == "v1.php"
        let status = isFirst && code == 200 ? 100 : code
        let meta: [String: Any] = [
            "status": code == 200 ? "ok" : "failure", "statuscode": status, "message": words,
        ]
        let http = isFirst ? 200 : code == 997 ? 401 : code == 998 ? 404 : code
        return json(["ocs": ["meta": meta, "data": data] as [String: Any]], http)
    }

    private func makeAppPassword(_ version: String, _ request: NextcloudRequest) -> LoopbackAnswer {
        let password = basic(request)?.password ?? ""
        let made = state.withLock { state -> String? in
            guard state.users[request.user]?.appPasswords.contains(password) == false else { return nil }
            let made = "app-" + state.makeToken()
            state.users[request.user]?.appPasswords.append(made)
            return made
        }
        guard let made else {
            return ocsAnswer(
                version,
                request,
                403,
                "You cannot request an new apppassword with an apppassword",
                data: [String]()
            )
        }
        return ocsAnswer(version, request, 200, "OK", data: ["apppassword": made])
    }

    private func userData(_ user: String) -> [String: Any] {
        state.withLock { state in
            let tree = state.trees[user]
            let used = tree?.used ?? 0
            let quota = tree?.quota
            return [
                "id": user, "enabled": true, "email": "\(user)@cloud.example",
                "display-name": state.users[user]?.displayName ?? "",
                "quota": [
                    "free": tree?.available ?? -3, "used": used, "total": quota ?? -3, "quota": quota ?? -3,
                    "relative": 0,
                ],
            ]
        }
    }

    private func capabilities(_ request: NextcloudRequest) -> [String: Any] {
        let settings = state.withLock { $0.settings }
        var capabilities: [String: Any] = ["bruteforce": ["delay": 0, "allow-listed": false]]
        if let theming = settings.theming {
            let origin = reportedOrigin(request)
            capabilities["theming"] = theming.mapValues { $0.hasPrefix("/") ? origin + $0 : $0 }
        }
        let version = settings.isOwnCloud ? (10, 15, 0) : (32, 0, 1)
        let number: [String: Any] = [
            "major": version.0, "minor": version.1, "micro": version.2,
            "string": "\(version.0).\(version.1).\(version.2)", "edition": "", "extendedSupport": false,
        ]
        guard !request.user.isEmpty else { return ["version": number, "capabilities": capabilities] }
        capabilities["core"] = ["webdav-root": "remote.php/webdav", "pollinterval": 60]
        var dav: [String: Any] = ["chunking": "1.0", "public_shares_chunking": false]
        if settings.hasBulkUpload, !settings.isOwnCloud { dav["bulkupload"] = "1.0" }
        capabilities["dav"] = dav
        var files: [String: Any] = ["bigfilechunking": true, "undelete": true, "versioning": true]
        if !settings.isOwnCloud {
            files["forbidden_filenames"] = [".htaccess"]
            files["forbidden_filename_characters"] = ["\\", "/"]
            files["forbidden_filename_extensions"] = [".filepart", ".part"]
            if let size = settings.maximumChunkSize {
                files["chunked_upload"] = ["max_size": size, "max_parallel_count": 5]
            }
        }
        capabilities["files"] = files
        capabilities["files_sharing"] = [
            "api_enabled": true,
            "public": [
                "enabled": true, "password": ["enforced": false], "expire_date": ["enabled": false], "upload": true,
            ] as [String: Any],
        ]
        if settings.isOwnCloud {
            capabilities["checksums"] = ["supportedTypes": ["SHA1"], "preferredUploadType": "SHA1"]
        }
        return ["version": number, "capabilities": capabilities]
    }
}
