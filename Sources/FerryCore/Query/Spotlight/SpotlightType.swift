/// A uniform type identifier as a condition on what storages tell.
struct SpotlightType {
    /// The condition, in the predicate-format language.
    let condition: String

    /// Finds the condition.
    ///
    /// - Parameter identifier: The type: `public.image`. `nil` if it is not known.
    init?(_ identifier: String) {
        if let media = Self.mediaTypes[identifier] {
            condition = media.hasSuffix("/") ? "contentType BEGINSWITH '\(media)'" : "contentType == '\(media)'"
        } else if let other = Self.kinds[identifier] {
            condition = other
        } else {
            return nil
        }
    }

    private static let kinds = [
        "public.folder": "isDirectory == TRUE", "public.directory": "isDirectory == TRUE",
        "public.symlink": "isSymbolicLink == TRUE", "public.item": "TRUEPREDICATE",
        "public.content": "isRegularFile == TRUE", "public.data": "isRegularFile == TRUE",
    ]

    private static let mediaTypes = [
        "public.image": "image/", "public.movie": "video/", "public.video": "video/", "public.audio": "audio/",
        "public.text": "text/", "public.plain-text": "text/plain", "public.html": "text/html",
        "public.xml": "application/xml", "public.json": "application/json", "public.jpeg": "image/jpeg",
        "public.png": "image/png", "public.tiff": "image/tiff", "public.heic": "image/heic",
        "com.compuserve.gif": "image/gif", "org.webmproject.webp": "image/webp", "com.adobe.pdf": "application/pdf",
        "public.zip-archive": "application/zip", "public.mp3": "audio/mpeg", "public.mpeg-4": "video/mp4",
        "com.apple.quicktime-movie": "video/quicktime", "public.rtf": "application/rtf",
        "public.comma-separated-values-text": "text/csv",
    ]
}
