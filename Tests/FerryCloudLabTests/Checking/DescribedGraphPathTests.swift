import Testing

@testable import FerryCloudLab

@Suite("Paths of Microsoft Graph as they are described")
struct DescribedGraphPathTests {
    @Test(
        "a path through a drive leads to an item by its id",
        arguments: [
            ("/v1.0/me/drive", "drives/x"),
            ("/v1.0/drives/d", "drives/d"),
            ("/v1.0/me/drives", "users/x/drives"),
            ("/v1.0/users/u/drive", "users/u/drive"),
            ("/v1.0/users/u/drive/root", "drives/x/root"),
            ("/v1.0/me/drive/root/children", "drives/x/root/children"),
            ("/v1.0/me/drive/root:/A/b.txt", "drives/x/items/x"),
            ("/v1.0/me/drive/root:/A/b.txt:", "drives/x/items/x"),
            ("/v1.0/me/drive/root:/A%20b/c%23.txt:/content", "drives/x/items/x/content"),
            ("/v1.0/me/drive/root:", "drives/x/root"),
            ("/v1.0/drives/d/items/i:/a:/createUploadSession", "drives/d/items/x/createUploadSession"),
            ("/v1.0/drives/d/items/i", "drives/d/items/i"),
            ("/v1.0/me/drive/special/approot", "drives/x/special/approot"),
            ("/v1.0/me/drive/special/approot/content", "drives/x/special/approot/content"),
            ("/v1.0/me/drive/special/approot/children", "drives/x/items/x/children"),
            ("/v1.0/me/drive/special/approot:/a:/content", "drives/x/items/x/content"),
            ("/v1.0/groups/g/drive/items/i", "drives/x/items/i"),
            ("/v1.0/sites/s/drive", "drives/x"),
            ("/v1.0/sites/s/drives", "groups/s/drives"),
            ("/v1.0/sites/s/drives/d/root", "drives/d/root"),
            ("/v1.0/sites/host:/teams/a", "sites/x"),
            ("/v1.0/sites/host:/teams/a:/drive/root:/b:/children", "drives/x/items/x/children"),
            ("/v1.0/shares/u!abc/driveItem", "shares/u!abc/driveItem"),
            ("/v1.0/shares/u!abc/driveItem/content", "shares/u!abc/driveItem/content"),
            ("/v1.0/shares/u!abc/driveItem/children", "drives/x/items/x/children"),
            ("/v1.0/shares/u!abc/root:/a", "drives/x/items/x"),
            ("/v1.0/me/drive/root/search(q='a%2Fb')", "drives/x/root/search(q='a/b')"),
        ]
    )
    func forms(path: String, expected: String) throws {
        let segments = try #require(DescribedGraphPath(path)).segments
        // A slash inside a segment stays one, and isn't to be taken for a separator.
        #expect(segments.joined(separator: "/") == expected)
    }

    @Test(
        "a path with another version, an empty segment or a bad encoding has no such form",
        arguments: [
            "/me/drive", "/beta/me/drive", "/v1.0/me//drive", "/v1.0/me/drive/", "/v1.0/drives/%FF", "",
        ]
    )
    func refusals(path: String) {
        #expect(DescribedGraphPath(path) == nil)
    }
}
