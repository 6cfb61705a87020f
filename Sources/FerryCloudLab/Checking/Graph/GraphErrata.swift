/// The places where Microsoft Graph is known to differ from its published description.
enum GraphErrata {
    /// The parameters of the query that aren't described and are documented in prose.
    static let parameters: Set<String> = [
        "@microsoft.graph.conflictBehavior", "@name.conflictBehavior", "$skiptoken", "$skipToken", "token",
        "AVOverride", "allowexternal", "search", "format", "deltashowremoteitemsaliasid",
    ]

    /// The properties that a request may have beside its schema.
    static let requestProperties: Set<String> = ["deferCommit"]

    /// The properties of items that can be selected and aren't described as such.
    static let selectable: Set<String> = [
        "@microsoft.graph.downloadUrl", "content.downloadUrl", "@content.downloadUrl",
    ]

    /// Returns `true` for a size of thumbnails that isn't one of the described ones, such as `c300x400_crop`.
    static func isThumbnailSize(_ text: String) -> Bool {
        if ["smallSquare", "mediumSquare", "largeSquare"].contains(text) { return true }
        guard text.first == "c" else { return false }
        let bare = text.hasSuffix("_crop") ? text.dropLast(5) : Substring(text)
        let numbers = bare.dropFirst().split(separator: "x", omittingEmptySubsequences: false)
        return numbers.count == 2 && numbers.allSatisfy { Int($0).map { $0 > 0 } ?? false }
    }

    /// The operations that the published files leave out: the paths, the methods, and the schema of the answer.
    static let operations: [(template: OpenAPITemplate, operation: OpenAPIOperation)] = {
        func get(_ path: String, _ schema: String?) -> (OpenAPITemplate, OpenAPIOperation) {
            var operation = OpenAPIOperation(method: "GET")
            for name in ["$select", "$expand", "$top", "$filter"] { operation.query[name] = OpenAPISchema() }
            let body = schema.map { OpenAPIOperation.Body(contentType: "application/json", schema: .reference($0)) }
            operation.answers = ["2XX": body, "default": error]
            return (OpenAPITemplate(path), operation)
        }
        let size = "/drives/{drive-id}/items/{driveItem-id}/thumbnails/{set}/{size}"
        let item = OpenAPIOperation.Body(
            contentType: "application/json",
            schema: .reference("microsoft.graph.driveItem")
        )
        // The end of an upload session that puts off its commit.
        var commit = OpenAPIOperation(method: "PUT")
        (commit.body, commit.answers) = (item, ["2XX": item, "default": error])
        var batch = OpenAPIOperation(method: "POST")
        batch.answers = ["2XX": nil, "default": error]
        return [
            get("/me", "microsoft.graph.user"), get("/users/{user-id}", "microsoft.graph.user"),
            get("/sites", nil), get("/sites/{site-id}", "microsoft.graph.site"),
            get("/sites/{site-id}/recycleBin/items", nil),
            get(size, "microsoft.graph.thumbnail"), get(size + "/content", nil),
            (OpenAPITemplate("/$batch"), batch),
            (OpenAPITemplate("/drives/{drive-id}/items/{driveItem-id}"), commit),
        ]
    }()

    private static let error = OpenAPIOperation.Body(
        contentType: "application/json",
        schema: .reference("microsoft.graph.ODataErrors.ODataError")
    )

    /// The statuses of success, by the method and the end of the path; the description has `2XX` only.
    static func statuses(method: String, template: OpenAPITemplate) -> Set<Int> {
        let end = template.text.split(separator: "/").last.map(String.init) ?? ""
        return switch (method, end) {
        case ("DELETE", _), (_, "microsoft.graph.permanentDelete"), (_, "microsoft.graph.restoreVersion"): [204]
        case (_, "microsoft.graph.copy"): [202]
        case (_, "microsoft.graph.createLink"), ("PUT", _): [200, 201]
        case ("GET", "content"): [200, 302, 304]
        case ("POST", "children"): [200, 201]
        case ("GET", _): [200, 304]
        default: [200]
        }
    }

    /// The statuses that belong to codes of errors
    /// (https://learn.microsoft.com/onedrive/developer/rest-api/concepts/errors).
    static let statuses: [String: Set<Int>] = [
        "itemNotFound": [404], "nameAlreadyExists": [409], "accessDenied": [403], "unauthenticated": [401],
        "InvalidAuthenticationToken": [401], "invalidRange": [416], "resourceModified": [409, 412],
        "preconditionFailed": [412], "quotaLimitReached": [507], "activityLimitReached": [429, 503, 509],
        "serviceNotAvailable": [503], "resyncRequired": [410], "notSupported": [400, 405, 501],
        "notAllowed": [400, 403, 405],
        "invalidRequest": [400, 405, 411, 413],
    ]
}
