import FerryCore
import Foundation

extension ConformanceCheck {
    private static let shared: [ConformanceNeed] = .writing + [.sharing]

    /// Public links are made, told and ended.
    static let sharing: [ConformanceCheck] = [
        Self("sharing.round-trip", "a public link is listed until it is revoked", needs: shared) { trial in
            try await trial.plant(["a.txt": "a"])
            let link = try await trial.sharing.publicLink(to: trial["a.txt"], options: ShareOptions())
            trial.expectEqual(link.path, trial["a.txt"], "the path")
            trial.expect(["http", "https"].contains(link.url.scheme), "the URL is '\(link.url)'")
            let ids = try await trial.sharing.publicLinks(to: trial["a.txt"]).map(\.id)
            trial.expectEqual(ids, [link.id], "links of the file")
            let all = try await trial.sharing.publicLinks(to: nil).map(\.id)
            trial.expect(all.contains(link.id), "it is not among all links")
            try await trial.sharing.revoke(link)
            let left = try await trial.sharing.publicLinks(to: trial["a.txt"]).map(\.id)
            trial.expectEqual(left, [], "links of the file afterwards")
        },
        Self("sharing.missing", "a public link to a missing item throws fileNoSuchFile", needs: shared) { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "sharing") {
                try await trial.sharing.publicLink(to: trial["gone"], options: ShareOptions())
            }
        },
        Self("sharing.revoke-twice", "a link that is revoked can't be revoked again", needs: shared) { trial in
            try await trial.plant(["a.txt": "a"])
            let link = try await trial.sharing.publicLink(to: trial["a.txt"], options: ShareOptions())
            try await trial.sharing.revoke(link)
            await trial.expectRefusal(.fileNoSuchFile, of: "revoking again") {
                try await trial.sharing.revoke(link)
            }
        },
        Self("sharing.options", "an option of a public link is kept or refused, never left out", needs: shared) {
            trial in
            try await trial.plant(["a.txt": "a"])
            let expires = Date(timeIntervalSinceNow: 7 * 86_400)
            let options =
                [ShareOptions(access: .edit), ShareOptions(expires: expires), ShareOptions(password: "a Password 1!")]
                + ShareScope.allCases.map { ShareOptions(scope: $0) }
            for option in options {
                do {
                    let link = try await trial.sharing.publicLink(to: trial["a.txt"], options: option)
                    if option.access == .edit { trial.expectEqual(link.access ?? .edit, .edit, "the access") }
                    if option.password != nil { trial.expectEqual(link.hasPassword ?? true, true, "a password") }
                    if option.expires != nil { trial.expect(link.expires != nil, "the link never expires") }
                    if let scope = option.scope {
                        trial.expectEqual(link.scope, scope, "the people that the link works for")
                        let listed = try await trial.sharing.publicLinks(to: trial["a.txt"]).first { $0.id == link.id }
                        trial.expectEqual(listed?.scope, scope, "the people that the listed link works for")
                    }
                    trial.expect(!"\(link)".contains("a Password 1!"), "the password is in the link's description")
                    try await trial.sharing.revoke(link)
                } catch let error as CocoaError where error.code == .featureUnsupported {
                    continue
                }
            }
        },
    ]
}
