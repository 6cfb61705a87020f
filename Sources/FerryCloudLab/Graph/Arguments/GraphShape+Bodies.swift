extension GraphShape {
    static let conflictBehavior = "@microsoft.graph.conflictBehavior"

    private static let conflict = GraphType.oneOf(["fail", "replace", "rename"])

    private static let fileSystemInfo = GraphShape([
        "createdDateTime": .date, "lastModifiedDateTime": .date, "lastAccessedDateTime": .date,
    ])

    private static let reference = GraphShape([
        "driveId": .string, "driveType": .string, "id": .string, "path": .string, "name": .string,
        "shareId": .string, "siteId": .string,
    ])

    private static let folder = GraphShape(["childCount": .integer])

    /// The body that makes a folder or a shortcut.
    static let newFolder = GraphShape(
        [
            "name": .string, "folder": .object(folder), "fileSystemInfo": .object(fileSystemInfo),
            "description": .string, conflictBehavior: conflict,
            // The older name, which rclone sends.
            "@name.conflictBehavior": conflict,
            "remoteItem": .object(
                GraphShape(
                    ["id": .string, "parentReference": .object(reference)],
                    required: ["id", "parentReference"]
                )
            ),
        ],
        required: ["name"]
    )

    /// The body that changes an item.
    static let update = GraphShape([
        "name": .string, "description": .string, "fileSystemInfo": .object(fileSystemInfo),
        "parentReference": .object(reference), conflictBehavior: conflict,
    ])

    /// The body that starts an upload.
    static let session = GraphShape([
        "item": .object(
            GraphShape([
                conflictBehavior: conflict, "name": .string, "description": .string, "fileSize": .integer,
                "fileSystemInfo": .object(fileSystemInfo),
                "driveItemSource": .object(GraphShape(["application": .string, "externalId": .string])),
                "mediaSource": .object(GraphShape(["contentCategory": .string])),
            ])
        ),
        "deferCommit": .bool,
    ])

    /// The body that ends an upload whose file couldn't be stored under its name.
    static let commit = GraphShape(
        ["name": .string, conflictBehavior: conflict, "@microsoft.graph.sourceUrl": .string],
        required: ["@microsoft.graph.sourceUrl"]
    )

    /// The body that copies an item.
    static let copy = GraphShape([
        "name": .string, "parentReference": .object(reference), "childrenOnly": .bool,
        "includeAllVersionHistory": .bool,
    ])

    /// The body that brings an item back.
    static let restore = GraphShape(["name": .string, "parentReference": .object(reference)])

    /// The body that makes a link.
    static let link = GraphShape(
        [
            "type": .string, "scope": .string, "password": .string, "expirationDateTime": .date, "message": .string,
            "retainInheritedPermissions": .bool, "sendNotification": .bool,
            "recipients": .array(.object(GraphShape(["email": .string, "alias": .string, "objectId": .string]))),
        ],
        required: ["type"]
    )
}
