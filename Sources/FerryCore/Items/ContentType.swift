/// Media types by what follows a name's last dot.
public enum ContentType {
    /// The media type of a file by its name.
    ///
    /// - Parameter name: A file's name.
    /// - Returns: Such as `image/png` for `a.PNG`; `nil` if the extension is none that we know.
    public static func ofFile(named name: String) -> String? {
        ofExtension(NameEscape.pathExtension(of: name))
    }

    /// The media type of files with an extension.
    ///
    /// - Parameter pathExtension: Without the dot, in any case.
    /// - Returns: Such as `image/png` for `png`; `nil` if we don't know it.
    public static func ofExtension(_ pathExtension: String) -> String? {
        guard !pathExtension.isEmpty, pathExtension.utf8.count <= longest else { return nil }
        if let type = byExtension[pathExtension] { return type }
        return byExtension[pathExtension.lowercased()]
    }

    /// The longest extension, in bytes; what is longer needs no look-up.
    private static let longest = 12

    /// Literals all: neither the keys nor the values are ever copied.
    private static let byExtension: [String: String] = [
        // Text
        "txt": "text/plain", "text": "text/plain", "log": "text/plain", "conf": "text/plain", "ini": "text/plain",
        "diff": "text/plain", "patch": "text/plain", "htm": "text/html", "html": "text/html",
        "xhtml": "application/xhtml+xml", "css": "text/css", "csv": "text/csv", "tsv": "text/tab-separated-values",
        "md": "text/markdown", "markdown": "text/markdown", "ics": "text/calendar", "vcf": "text/vcard",
        "vcard": "text/vcard", "vtt": "text/vtt", "srt": "application/x-subrip", "rtf": "application/rtf",
        "tex": "application/x-tex", "bib": "application/x-bibtex",
        // Data
        "json": "application/json", "jsonld": "application/ld+json", "geojson": "application/geo+json",
        "webmanifest": "application/manifest+json", "ndjson": "application/x-ndjson", "xml": "application/xml",
        "xsl": "application/xslt+xml", "xslt": "application/xslt+xml", "xsd": "application/xml",
        "dtd": "application/xml-dtd", "rss": "application/rss+xml", "atom": "application/atom+xml",
        "gpx": "application/gpx+xml", "kml": "application/vnd.google-earth.kml+xml",
        "kmz": "application/vnd.google-earth.kmz", "plist": "application/x-plist", "yaml": "application/yaml",
        "yml": "application/yaml", "toml": "application/toml", "sql": "application/sql",
        "sqlite": "application/vnd.sqlite3", "wasm": "application/wasm",
        "bin": "application/octet-stream", "dat": "application/octet-stream", "pem": "application/x-pem-file",
        "crt": "application/x-x509-ca-cert", "cer": "application/pkix-cert", "p12": "application/x-pkcs12",
        "pfx": "application/x-pkcs12", "p7m": "application/pkcs7-mime", "p7s": "application/pkcs7-signature",
        "torrent": "application/x-bittorrent", "parquet": "application/vnd.apache.parquet",
        // Programs
        "js": "text/javascript", "mjs": "text/javascript", "ts": "text/x-typescript", "swift": "text/x-swift",
        "c": "text/x-c", "h": "text/x-c", "cc": "text/x-c++", "cpp": "text/x-c++", "hpp": "text/x-c++",
        "m": "text/x-objective-c", "java": "text/x-java", "kt": "text/x-kotlin", "py": "text/x-python",
        "rb": "text/x-ruby", "go": "text/x-go", "rs": "text/x-rust", "cs": "text/x-csharp", "pl": "text/x-perl",
        "php": "application/x-httpd-php", "lua": "text/x-lua", "sh": "application/x-sh",
        "bat": "application/x-bat", "ps1": "text/x-powershell", "jar": "application/java-archive",
        "class": "application/java-vm", "exe": "application/vnd.microsoft.portable-executable",
        "dll": "application/vnd.microsoft.portable-executable", "so": "application/x-sharedlib",
        "ipynb": "application/x-ipynb+json",
        // Documents
        "pdf": "application/pdf", "ps": "application/postscript", "eps": "application/postscript",
        "doc": "application/msword", "dot": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "docm": "application/vnd.ms-word.document.macroenabled.12", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsm": "application/vnd.ms-excel.sheet.macroenabled.12", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation", "odg": "application/vnd.oasis.opendocument.graphics",
        "odf": "application/vnd.oasis.opendocument.formula", "pages": "application/vnd.apple.pages",
        "numbers": "application/vnd.apple.numbers", "key": "application/vnd.apple.keynote",
        "vsd": "application/vnd.visio", "msg": "application/vnd.ms-outlook", "eml": "message/rfc822",
        "mbox": "application/mbox", "epub": "application/epub+zip", "mobi": "application/x-mobipocket-ebook",
        "azw3": "application/vnd.amazon.ebook", "djvu": "image/vnd.djvu",
        // Images
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "png": "image/png", "apng": "image/apng",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic", "heif": "image/heif",
        "jxl": "image/jxl", "jp2": "image/jp2", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp",
        "ico": "image/vnd.microsoft.icon", "icns": "image/x-icns", "svg": "image/svg+xml", "svgz": "image/svg+xml",
        "psd": "image/vnd.adobe.photoshop", "ai": "application/postscript", "xcf": "image/x-xcf",
        "dng": "image/x-adobe-dng", "cr2": "image/x-canon-cr2", "nef": "image/x-nikon-nef", "arw": "image/x-sony-arw",
        "dxf": "image/vnd.dxf", "dwg": "image/vnd.dwg",
        // Sound
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac", "oga": "audio/ogg",
        "ogg": "audio/ogg", "opus": "audio/opus", "flac": "audio/flac", "wav": "audio/wav", "aif": "audio/aiff",
        "aiff": "audio/aiff", "mid": "audio/midi", "midi": "audio/midi", "weba": "audio/webm",
        "wma": "audio/x-ms-wma", "amr": "audio/amr", "m3u": "audio/x-mpegurl", "ape": "audio/x-ape",
        // Moving pictures
        "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime", "qt": "video/quicktime",
        "mpg": "video/mpeg", "mpeg": "video/mpeg", "webm": "video/webm", "ogv": "video/ogg",
        "mkv": "video/x-matroska", "avi": "video/x-msvideo", "wmv": "video/x-ms-wmv", "flv": "video/x-flv",
        "3gp": "video/3gpp", "3g2": "video/3gpp2", "m2ts": "video/mp2t", "mts": "video/mp2t",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
        // Archives and images of disks
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "bz2": "application/x-bzip2",
        "tbz2": "application/x-bzip2", "xz": "application/x-xz", "txz": "application/x-xz", "zst": "application/zstd",
        "lz4": "application/x-lz4", "br": "application/x-brotli", "7z": "application/x-7z-compressed",
        "rar": "application/vnd.rar", "tar": "application/x-tar", "cpio": "application/x-cpio",
        "iso": "application/x-iso9660-image", "dmg": "application/x-apple-diskimage",
        "img": "application/octet-stream", "vmdk": "application/x-vmdk", "deb": "application/vnd.debian.binary-package",
        "rpm": "application/x-rpm", "apk": "application/vnd.android.package-archive", "msi": "application/x-msi",
        "pkg": "application/octet-stream", "cab": "application/vnd.ms-cab-compressed",
        // Type faces
        "ttf": "font/ttf", "otf": "font/otf", "ttc": "font/collection", "woff": "font/woff", "woff2": "font/woff2",
        "eot": "application/vnd.ms-fontobject",
        // Things
        "stl": "model/stl", "obj": "model/obj", "gltf": "model/gltf+json", "glb": "model/gltf-binary",
        "usdz": "model/vnd.usdz+zip", "3mf": "model/3mf",
    ]
}
