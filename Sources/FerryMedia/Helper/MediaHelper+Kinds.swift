#if os(Linux) || os(macOS)
extension MediaHelper {
    private static let pictures: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "tif", "tiff", "svg", "svgz", "heic", "heif", "hif", "avif",
    ]
    private static let sounds: Set<String> = [
        "mp3", "m4a", "m4b", "aac", "flac", "ogg", "oga", "opus", "wma", "wav", "aif", "aiff", "ape", "mka", "wv",
        "mpc",
    ]
    /// Those that hold no pictures.
    private static let plainSounds: Set<String> = ["au", "snd", "caf", "ac3", "amr", "w64"]
    private static let films: Set<String> = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "wmv", "asf", "flv", "mpg", "mpeg", "ts", "mts", "m2ts", "3gp",
        "3g2",
        "ogv",
    ]
    private static let documents: Set<String> = [
        "docx", "docm", "dotx", "xlsx", "xlsm", "xltx", "pptx", "pptm", "ppsx", "potx", "odt", "ott", "ods", "ots",
        "odp",
        "otp", "odg", "epub",
    ]

    /// Pictures, PDF, sound that has a picture embedded, films.
    public var thumbnailExtensions: Set<String> { Self.thumbnails }

    /// Pictures, PDF, sound, films, ZIP archives and office documents.
    public var propertyExtensions: Set<String> { Self.properties }

    private static let thumbnails = pictures.union(sounds).union(films).union(["pdf"])
    private static let properties = thumbnails.union(plainSounds).union(documents).union(["zip"])
}
#endif
