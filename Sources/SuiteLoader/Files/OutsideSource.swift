/// A source of a description that some commands read, named where only a file will do.
struct OutsideSource {
    /// Whether it is on a server.
    let isRemote: Bool
    /// How it becomes a file.
    private let way: String

    /// Recognizes a URL, `git:REVISION:path`, and `-`; nil for a path.
    init?(_ text: String) {
        let scheme = text.prefix(8).lowercased()
        isRemote = scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
        if isRemote {
            way = "save it with curl -fo openapi.yaml \(text)"
        } else if text.hasPrefix("git:") {
            way = "save it with git show \(text.dropFirst(4)) > openapi.yaml"
        } else if text == "-" {
            way = "standard input is not read here: write it to openapi.yaml"
        } else {
            return nil
        }
    }

    /// What to do.
    ///
    /// - Parameter use: What to do with the file.
    func suggestion(_ use: String) -> String { "\(way), and \(use)" }
}
