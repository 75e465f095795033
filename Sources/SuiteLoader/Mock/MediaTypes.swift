import FileSystem

/// Media types of files by the end of their names.
enum MediaTypes {
    private static let types = [
        "json": "application/json", "yaml": "application/yaml", "yml": "application/yaml", "xml": "application/xml",
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8",
        "csv": "text/csv; charset=utf-8", "md": "text/markdown; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "pdf": "application/pdf", "zip": "application/zip",
        "gz": "application/gzip", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "svg": "image/svg+xml", "webp": "image/webp", "ico": "image/vnd.microsoft.icon", "mp3": "audio/mpeg",
        "mp4": "video/mp4", "wasm": "application/wasm", "woff2": "font/woff2",
    ]

    /// The media type of a file; that of unknown bytes when its name says nothing.
    static func mediaType(ofFile path: String) -> String {
        let name = Path.lastComponent(of: path)
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
