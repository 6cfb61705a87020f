import FerryCore
import Foundation
import Testing

@testable import FerryDropbox

@Suite("Exchanges about links")
struct DropboxLinkExchangeTests {
    @Test(
        "a link that works for others than was wanted is revoked, whichever field says so",
        arguments: [
            (#""effective_audience":{".tag":"public"}"#, ShareScope.anyone),
            (#""effective_audience":{".tag":"team"}"#, .organization),
            (#""effective_audience":{".tag":"no_one"}"#, .invited),
            (#""effective_audience":{".tag":"members"}"#, nil), (#""resolved_visibility":{".tag":"public"}"#, .anyone),
            (#""resolved_visibility":{".tag":"password"}"#, .anyone),
            (#""resolved_visibility":{".tag":"team_only"}"#, .organization),
            (#""resolved_visibility":{".tag":"team_and_password"}"#, .organization),
            (#""resolved_visibility":{".tag":"no_one"}"#, .invited),
            (#""resolved_visibility":{".tag":"only_you"}"#, .invited),
            (#""resolved_visibility":{".tag":"shared_folder_only"}"#, .invited),
            (#""resolved_visibility":{".tag":"something_new"}"#, nil), (#""can_revoke":true"#, nil),
        ] as [(String, ShareScope?)]
    )
    func scope(field: String, real: ShareScope?) async throws {
        for wanted in ShareScope.allCases {
            let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
                sent.route == "sharing/revoke_shared_link"
                    ? .json("null") : .json(#"{"url":"https://www.dropbox.com/l","link_permissions":{\#(field)}}"#)
            }
            let link = try? await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: wanted))
            #expect((link != nil) == (wanted == real), "\(wanted)")
            let isRevoked = transport.sent.contains { $0.route == "sharing/revoke_shared_link" }
            #expect(isRevoked == (wanted != real), "\(wanted)")
        }
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(#"{"url":"https://www.dropbox.com/l","link_permissions":{\#(field)}}"#)
        }
        let link = try await provider.publicLink(to: "/a.txt", options: ShareOptions())
        #expect(link.id == "https://www.dropbox.com/l" && link.scope == real)
    }
}
