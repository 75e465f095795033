/// What the schemas of a suite have in common.
struct SchemaSettings: Hashable, Sendable {
    /// Whether `format` is checked in schemas that do not say it themselves.
    var assertsFormat = false
    /// Absolute paths by the URIs for which they stand; a URI that ends with `/` stands for a folder.
    var paths: [String: String] = [:]

    /// The absolute path that stands for a URI, by its whole or else by the longest beginning that a folder stands for.
    func path(of uri: String) -> String? {
        if let path = paths[uri] { return path }
        var longest: (uri: String, path: String)?
        for (beginning, path) in paths
        where beginning.hasSuffix("/") && uri.hasPrefix(beginning) && beginning.count > longest?.uri.count ?? 0 {
            longest = (beginning, path)
        }
        guard let longest else { return nil }
        let rest = uri.dropFirst(longest.uri.count)
        return FileURI.path(of: FileURI.uri(ofPath: longest.path) + "/" + rest)
    }
}
