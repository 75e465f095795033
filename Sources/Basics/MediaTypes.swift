/// Classification of media types (RFC 6838), and the table of types by file extension.
///
/// All names are lowercase and have no parameters.
package enum MediaTypes {
    /// Whether a type is JSON: `application/json`, `text/json` or any `+json`.
    package static func isJSON(_ type: String) -> Bool {
        type == "application/json" || type == "text/json" || type.hasSuffix("+json")
    }

    /// Whether a type is XML (RFC 7303): `application/xml`, `text/xml` or any `+xml`.
    package static func isXML(_ type: String) -> Bool {
        type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml")
    }

    /// Returns the media type for a file name; `application/octet-stream` if its extension is unknown.
    package static func type(ofFile name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
        return byExtension[name[name.utf8.index(after: dot)...].lowercased()] ?? unknown
    }

    /// Returns the `Content-Type` for a file name. Text files are assumed to be UTF-8.
    package static func contentType(ofFile name: String) -> String {
        let type = type(ofFile: name)
        return type.hasPrefix("text/") ? type + "; charset=utf-8" : type
    }

    private static let unknown = "application/octet-stream"

    private static let byExtension: [String: String] = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "apng": "image/apng", "avi": "video/x-msvideo",
        "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
        "c": "text/x-c", "cer": "application/pkix-cert", "crt": "application/x-x509-ca-cert", "css": "text/css",
        "csv": "text/csv", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eot": "application/vnd.ms-fontobject", "epub": "application/epub+zip", "flac": "audio/flac",
        "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html", "html": "text/html",
        "ico": "image/vnd.microsoft.icon", "ics": "text/calendar", "jar": "application/java-archive",
        "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json",
        "jsonl": "application/jsonl", "jsonld": "application/ld+json", "log": "text/plain", "m4a": "audio/mp4",
        "m4v": "video/x-m4v", "md": "text/markdown", "mid": "audio/midi", "mjs": "text/javascript",
        "mkv": "video/x-matroska", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "mpeg": "video/mpeg", "mpg": "video/mpeg", "ndjson": "application/x-ndjson",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
        "p12": "application/x-pkcs12", "pdf": "application/pdf", "pem": "application/x-pem-file",
        "plist": "application/x-plist", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "ps": "application/postscript", "rar": "application/vnd.rar", "rtf": "application/rtf",
        "sh": "application/x-sh", "sql": "application/sql", "svg": "image/svg+xml", "tar": "application/x-tar",
        "tgz": "application/gzip", "tif": "image/tiff", "tiff": "image/tiff", "toml": "application/toml",
        "ts": "video/mp2t", "tsv": "text/tab-separated-values", "ttf": "font/ttf", "txt": "text/plain",
        "wasm": "application/wasm", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "xz": "application/x-xz", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
