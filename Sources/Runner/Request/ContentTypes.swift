/// Media types of files by their names' endings.
enum ContentTypes {
    private static let types: [String: String] = [
        "json": "application/json", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "txt": "text/plain; charset=utf-8", "csv": "text/csv; charset=utf-8", "html": "text/html; charset=utf-8",
        "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "svg": "image/svg+xml", "zip": "application/zip", "gz": "application/gzip",
        "ndjson": "application/x-ndjson",
    ]

    /// The media type for a path, `application/octet-stream` when its ending says nothing.
    static func type(ofPath path: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[path[path.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
