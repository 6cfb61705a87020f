import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Returns what lies outside of DAV and OCS: login flow, previews, pictures of the theme.
    func web(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let names = request.names.first == "index.php" ? Array(request.names.dropFirst()) : request.names
        switch (request.method, names.prefix(2)) {
        case ("POST", ["login", "v2"]):
            return names.last == "poll" ? try await poll(request) : beginLogin(request)
        case ("GET", ["core", "preview"]), ("GET", ["core", "preview.png"]): return preview(request)
        case ("GET", ["apps", "theming"]):
            return .answer(200, ["content-type": "image/svg+xml"], text: "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        default: return .answer(404)
        }
    }

    private func beginLogin(_ request: NextcloudRequest) -> LoopbackAnswer {
        let origin = reportedOrigin(request)
        let token = state.withLock { state in
            let token = state.makeToken()
            state.loginFlows[token] = .some(nil)
            return token
        }
        return json([
            "poll": ["token": token, "endpoint": "\(origin)/login/v2/poll"],
            "login": "\(origin)/login/v2/flow/\(token)x",
        ])
    }

    private func poll(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let token = try await request.parameters()["token"] ?? ""
        let granted = state.withLock { state -> (user: String, password: String)? in
            guard case .some(.some(let user)) = state.loginFlows[token] else { return nil }
            // Told once.
            state.loginFlows[token] = nil
            let password = "app-" + state.makeToken()
            state.users[user]?.appPasswords.append(password)
            return (user, password)
        }
        guard let granted else { return json([String](), 404) }
        return json([
            "server": reportedOrigin(request), "loginName": granted.user, "appPassword": granted.password,
        ])
    }

    // MARK: Previews

    static func hasPreview(_ name: String) -> Bool {
        ["image/jpeg", "image/png", "text/plain", "text/markdown"].contains(mediaType(name))
    }

    private func preview(_ request: NextcloudRequest) -> LoopbackAnswer {
        let node = state.withLock { state -> NextcloudNode? in
            guard let tree = state.trees[request.user] else { return nil }
            if let id = request.query["fileId"].flatMap({ Int($0) }) { return tree.isLive(id) ? tree.nodes[id] : nil }
            let names = NextcloudRequest.names(of: (request.query["file"] ?? "").replacing("%", with: "%25"))
            return tree.find(names).flatMap { tree.nodes[$0] }
        }
        guard let node, !node.isFolder, Self.hasPreview(node.name), !node.content.isEmpty else {
            if request.query["mimeFallback"] == "true" {
                return .answer(303, ["location": "\(reportedOrigin(request))/core/img/filetypes/file.svg"])
            }
            return json([String](), 404)
        }
        let wanted = max(Int(request.query["x"] ?? "") ?? 32, Int(request.query["y"] ?? "") ?? 32)
        let side = [64, 96, 256, 384, 1024, 1536].first { $0 >= wanted } ?? 1536
        let isWhole = request.query["a"] == "1"
        let height = isWhole ? (side * 2 + 1) / 3 : side
        let isPNG = !node.name.lowercased().hasSuffix("jpg") && !node.name.lowercased().hasSuffix("jpeg")
        var answer = LoopbackAnswer.answer(
            200,
            [
                "content-type": isPNG ? "image/png" : "image/jpeg",
                "cache-control": "private, max-age=86400, immutable", "etag": "\"\(node.eTag)\"",
            ]
        )
        answer.body = ByteBuffer(bytes: isPNG ? Self.png(side, height) : Self.jpeg(side, height))
        return answer
    }

    /// As much of a picture as tells its size: signature and `IHDR` of a PNG.
    private static func png(_ width: Int, _ height: Int) -> [UInt8] {
        let sides = [width, height].flatMap { side in
            (0..<4).reversed().map { UInt8(truncatingIfNeeded: side >> (8 * $0)) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] + sides
            + [8, 6, 0, 0, 0, 0, 0, 0, 0]
    }

    /// As much of a picture as tells its size: `APP0` and `SOF0` of a JPEG.
    private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8]
            + [height, width].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            + [1, 1, 0x11, 0, 0xFF, 0xD9]
    }
}
