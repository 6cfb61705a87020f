/// A cloud service that is emulated; the raw value is the name of its kind, and of the remote, in both ferry and rclone.
enum CloudService: String, CaseIterable, Sendable {
    case dropbox, onedrive

    /// The name in titles.
    var title: String {
        switch self {
        case .dropbox: "Dropbox"
        case .onedrive: "OneDrive"
        }
    }

    /// rclone's ways of sending many small files; the first one is its own choice.
    var smallUploads: [RcloneVariant] {
        switch self {
        case .dropbox:
            [
                RcloneVariant("rclone", []),
                RcloneVariant(
                    "rclone, async batches",
                    ["--dropbox-batch-mode", "async", "--dropbox-batch-size", "1000"]
                ),
                RcloneVariant("rclone, no batches", ["--dropbox-batch-mode", "off"]),
            ]
        case .onedrive:
            [
                RcloneVariant("rclone", []),
                RcloneVariant("rclone, no sessions", ["--onedrive-upload-cutoff", "4Mi"]),
            ]
        }
    }

    /// rclone's ways of sending a large file: in parts as it likes them, and the largest that the service takes.
    var largeUploads: [RcloneVariant] {
        switch self {
        case .dropbox:
            [RcloneVariant("rclone", []), RcloneVariant("rclone, 144 MiB parts", ["--dropbox-chunk-size", "144Mi"])]
        case .onedrive:
            [RcloneVariant("rclone", []), RcloneVariant("rclone, 50 MiB parts", ["--onedrive-chunk-size", "50Mi"])]
        }
    }

    /// rclone's ways of fetching a large file: over four connections, as it likes it, and over one.
    var largeDownloads: [RcloneVariant] {
        [RcloneVariant("rclone", []), RcloneVariant("rclone, one stream", ["--multi-thread-streams", "0"])]
    }
}
