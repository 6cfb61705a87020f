import Foundation

extension DropboxLab {
    private static let jobShape = DropboxShape(.required("async_job_id", .text(1...Int.max)))
    private static let cursorOnly = DropboxShape(.required("cursor", .text(1...Int.max)))
    private static let listShape = DropboxShape(
        .required("path", .pattern(.pathRootOrID)),
        .defaulted("recursive", .bool),
        .defaulted("include_media_info", .bool),
        .defaulted("include_deleted", .bool),
        .defaulted("include_has_explicit_shared_members", .bool),
        .defaulted("include_mounted_folders", .bool),
        .optional("limit", .unsigned(1...2000)),
        .optional("shared_link", .structure(DropboxShape(.required("url", .text()), .optional("password", .text())))),
        .optional("include_property_groups", .anything),
        .defaulted("include_non_downloadable_files", .bool),
        .defaulted("include_restorable_info", .bool)
    )
    private static let readShape = DropboxShape(
        .required("path", .pattern(.readPath)),
        .optional("rev", .pattern(.revision))
    )
    private static let relocationShape = DropboxShape(
        DropboxCall.relocation,
        adding: .defaulted("allow_shared_folder", .bool),
        .defaulted("autorename", .bool),
        .defaulted("allow_ownership_transfer", .bool)
    )
    private static let relocationBatch = DropboxShape(
        .required("entries", .list(.structure(DropboxCall.relocation), count: 1...1000)),
        .defaulted("autorename", .bool)
    )
    private static let finishShape = DropboxShape(
        .required("cursor", .structure(DropboxCall.cursorShape)),
        .required("commit", .structure(DropboxCommit.shape)),
        DropboxCall.hashField
    )
    private static let sessionType = DropboxShape.Field.optional(
        "session_type",
        .union(["sequential": nil, "concurrent": nil])
    )

    private static func sharedItems(_ most: Int64) -> DropboxShape {
        DropboxShape(.defaulted("limit", .unsigned(1...most)), .optional("actions", .list(.anything)))
    }

    /// The operations, by their names.
    static let routes: [String: DropboxRoute] = [
        // Listing
        "files/list_folder": DropboxRoute(scope: "files.metadata.read", listShape) { try $0.listFolder() },
        "files/list_folder/continue": DropboxRoute(scope: "files.metadata.read", cursorOnly) {
            try $0.listFolderContinue()
        },
        "files/list_folder/get_latest_cursor": DropboxRoute(scope: "files.metadata.read", listShape) {
            try $0.latestCursor()
        },
        "files/get_metadata": DropboxRoute(
            scope: "files.metadata.read",
            DropboxShape(
                .required("path", .pattern(.readPath)),
                .defaulted("include_media_info", .bool),
                .defaulted("include_deleted", .bool),
                .defaulted("include_has_explicit_shared_members", .bool),
                .optional("include_property_groups", .anything)
            )
        ) { try $0.getMetadata() },

        // Uploads
        "files/upload": DropboxRoute(
            "content",
            style: .upload,
            scope: "files.content.write",
            DropboxShape(DropboxCommit.shape, adding: DropboxCall.hashField)
        ) { try $0.upload() },
        "files/upload_session/start": DropboxRoute(
            "content",
            style: .upload,
            scope: "files.content.write",
            DropboxShape(.defaulted("close", .bool), sessionType, DropboxCall.hashField)
        ) { try $0.startSession() },
        "files/upload_session/start_batch": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(sessionType, .required("num_sessions", .unsigned(1...1000)))
        ) { $0.startSessions() },
        "files/upload_session/append_v2": DropboxRoute(
            "content",
            style: .upload,
            scope: "files.content.write",
            DropboxShape(
                .required("cursor", .structure(DropboxCall.cursorShape)),
                .defaulted("close", .bool),
                DropboxCall.hashField
            )
        ) { try $0.appendToSession() },
        "files/upload_session/append_batch": DropboxRoute(
            "content",
            style: .upload,
            scope: "files.content.write",
            DropboxShape(
                .required(
                    "entries",
                    .list(
                        .structure(
                            DropboxShape(
                                .required("cursor", .structure(DropboxCall.cursorShape)),
                                .required("length", .unsigned(0...1 << 50)),
                                .defaulted("close", .bool)
                            )
                        ),
                        count: 0...1000
                    )
                ),
                DropboxCall.hashField
            )
        ) { try $0.appendToSessions() },
        "files/upload_session/finish": DropboxRoute(
            "content",
            style: .upload,
            scope: "files.content.write",
            finishShape
        ) { try $0.finishSession() },
        "files/upload_session/finish_batch": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("entries", .list(.structure(finishShape), count: 0...1000)))
        ) { $0.launchFinishSessions() },
        "files/upload_session/finish_batch/check": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/upload_session/finish_batch")
        },
        "files/upload_session/finish_batch_v2": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("entries", .list(.structure(finishShape), count: 0...1000)))
        ) { $0.finishSessions() },

        // Reading
        "files/download": DropboxRoute("content", style: .download, scope: "files.content.read", readShape) {
            try $0.download()
        },
        "files/export": DropboxRoute(
            "content",
            style: .download,
            scope: "files.content.read",
            DropboxShape(.required("path", .pattern(.readPath)), .optional("export_format", .text()))
        ) { try $0.export() },
        "files/get_temporary_link": DropboxRoute(
            scope: "files.content.read",
            DropboxShape(.required("path", .pattern(.readPath)))
        ) { try $0.temporaryLink() },
        "files/get_temporary_upload_link": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(
                .required("commit_info", .structure(DropboxCommit.shape)),
                .defaulted("duration", .float(60...14400))
            )
        ) { $0.temporaryUploadLink() },

        // Operations
        "files/create_folder_v2": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("path", .pattern(.writePath)), .defaulted("autorename", .bool))
        ) { try $0.createFolder() },
        "files/create_folder_batch": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(
                .required("paths", .list(.pattern(.writePath), count: 0...10_000)),
                .defaulted("autorename", .bool),
                .defaulted("force_async", .bool)
            )
        ) { $0.createFolders() },
        "files/create_folder_batch/check": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/create_folder_batch")
        },
        "files/delete_v2": DropboxRoute(scope: "files.content.write", DropboxCall.deletion) { try $0.delete() },
        "files/delete_batch": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("entries", .list(.structure(DropboxCall.deletion), count: 0...1000)))
        ) { $0.deleteBatch() },
        "files/delete_batch/check": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/delete_batch")
        },
        "files/permanently_delete": DropboxRoute(scope: "files.permanent_delete", DropboxCall.deletion) {
            try $0.deletePermanently()
        },
        "files/move_v2": DropboxRoute(scope: "files.content.write", relocationShape) { try $0.relocate(.move) },
        "files/copy_v2": DropboxRoute(scope: "files.content.write", relocationShape) { try $0.relocate(.copy) },
        "files/move_batch_v2": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(relocationBatch, adding: .defaulted("allow_ownership_transfer", .bool))
        ) { $0.relocateBatch(.move) },
        "files/move_batch/check_v2": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/move_batch_v2")
        },
        "files/copy_batch_v2": DropboxRoute(scope: "files.content.write", relocationBatch) {
            $0.relocateBatch(.copy)
        },
        "files/copy_batch/check_v2": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/copy_batch_v2")
        },
        "files/list_revisions": DropboxRoute(
            scope: "files.metadata.read",
            DropboxShape(
                .required("path", .pattern(.pathOrID)),
                .defaulted("mode", .union(["path": nil, "id": nil])),
                .defaulted("limit", .unsigned(1...100)),
                .optional("before_rev", .pattern(.revision)),
                .defaulted("include_restorable_info", .bool)
            )
        ) { try $0.listRevisions() },
        "files/restore": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("path", .pattern(.writePath)), .required("rev", .pattern(.revision)))
        ) { try $0.restore() },
        "files/copy_reference/get": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("path", .pattern(.readPath)))
        ) { try $0.copyReference() },
        "files/copy_reference/save": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("copy_reference", .text()), .required("path", .pattern(.path)))
        ) { try $0.saveCopyReference() },
        "files/save_url": DropboxRoute(
            scope: "files.content.write",
            DropboxShape(.required("path", .pattern(.path)), .required("url", .text()))
        ) { try $0.saveURL() },
        "files/save_url/check_job_status": DropboxRoute(scope: "files.content.write", jobShape) {
            try $0.check("files/save_url")
        },

        // Search and thumbnails
        "files/search_v2": DropboxRoute(
            scope: "files.metadata.read",
            DropboxShape(
                .required("query", .text(0...1000)),
                .optional("options", .structure(DropboxCall.searchOptions)),
                .optional("match_field_options", .structure(DropboxShape(.defaulted("include_highlights", .bool)))),
                .optional("include_highlights", .bool)
            )
        ) { try $0.search() },
        "files/search/continue_v2": DropboxRoute(scope: "files.metadata.read", cursorOnly) {
            try $0.searchContinue()
        },
        "files/get_thumbnail_v2": DropboxRoute(
            "content",
            style: .download,
            scope: "files.content.read",
            DropboxShape(
                DropboxCall.thumbnailOptions,
                adding: .required(
                    "resource",
                    .union([
                        "path": .pattern(.readPath),
                        "link": .structure(
                            DropboxShape(
                                .required("url", .text()),
                                .optional("path", .text()),
                                .optional("password", .text())
                            )
                        ),
                    ])
                )
            )
        ) { try $0.thumbnail() },
        "files/get_thumbnail_batch": DropboxRoute(
            "content",
            scope: "files.content.read",
            DropboxShape(
                .required(
                    "entries",
                    .list(
                        .structure(
                            DropboxShape(
                                DropboxCall.thumbnailOptions,
                                adding: .required("path", .pattern(.readPath))
                            )
                        )
                    )
                )
            )
        ) { try $0.thumbnails() },

        // Sharing
        "sharing/create_shared_link_with_settings": DropboxRoute(
            scope: "sharing.write",
            DropboxShape(
                .required("path", .pattern(.readPath)),
                .optional("settings", .structure(DropboxCall.linkSettings))
            )
        ) { try $0.createLink() },
        "sharing/list_shared_links": DropboxRoute(
            scope: "sharing.read",
            DropboxShape(
                .optional("path", .pattern(.readPath)),
                .optional("cursor", .text()),
                .optional("direct_only", .bool)
            )
        ) { try $0.listLinks() },
        "sharing/get_shared_link_metadata": DropboxRoute(
            scope: "sharing.read",
            DropboxShape(.required("url", .text()), .optional("path", .text()), .optional("link_password", .text()))
        ) { try $0.linkMetadata() },
        "sharing/modify_shared_link_settings": DropboxRoute(
            scope: "sharing.write",
            DropboxShape(
                .required("url", .text()),
                .required("settings", .structure(DropboxCall.linkSettings)),
                .defaulted("remove_expiration", .bool)
            )
        ) { try $0.modifyLink() },
        "sharing/revoke_shared_link": DropboxRoute(scope: "sharing.write", DropboxShape(.required("url", .text()))) {
            try $0.revokeLink()
        },
        "sharing/get_shared_link_file": DropboxRoute(
            "content",
            style: .download,
            scope: "sharing.read",
            DropboxShape(.required("url", .text()), .optional("path", .text()), .optional("link_password", .text()))
        ) { try $0.linkFile() },
        "sharing/list_folders": DropboxRoute(scope: "sharing.read", sharedItems(1_000)) { try $0.listSharedFolders() },
        "sharing/list_folders/continue": DropboxRoute(scope: "sharing.read", cursorOnly) { try $0.listSharedFolders() },
        "sharing/list_received_files": DropboxRoute(scope: "sharing.read", sharedItems(300)) {
            try $0.listReceivedFiles()
        },
        "sharing/list_received_files/continue": DropboxRoute(scope: "sharing.read", cursorOnly) {
            try $0.listReceivedFiles()
        },

        // Account
        "users/get_current_account": DropboxRoute(scope: "account_info.read", nil) { $0.currentAccount() },
        "users/get_space_usage": DropboxRoute(scope: "account_info.read", nil) { $0.spaceUsage() },
        "check/user": DropboxRoute(scope: "account_info.read", DropboxShape(.defaulted("query", .text(0...500)))) {
            .json(["result": .string($0.text("query"))])
        },
        "auth/token/revoke": DropboxRoute(scope: nil, nil) { $0.revokeToken() },
    ]
}
