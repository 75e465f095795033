import Basics

/// A source of a description that some commands support, specified where only a file is supported.
struct OutsideSource {
    /// Whether the source is on a server.
    let isRemote: Bool
    /// The command that saves the source as a file.
    private let way: String

    /// Creates a source from a URL, `git:REVISION:path`, or `-`; returns nil for a path.
    init?(_ text: String) {
        let scheme = text.prefix(8).lowercased()
        isRemote = scheme.hasPrefix("http://") || scheme.hasPrefix("https://")
        if isRemote {
            way = "save it with curl -fo openapi.yaml \(text)"
        } else if text.hasPrefix("git:") {
            way = "save it with git show \(text.dropFirst(4)) > openapi.yaml"
        } else if text == "-" {
            way = "standard input is not supported here: save it as openapi.yaml"
        } else {
            return nil
        }
    }

    /// Returns a suggestion for using a file instead.
    ///
    /// - Parameter use: The way to use the saved file.
    func suggestion(_ use: MessageText) -> MessageText { "\(way), and \(use)" }
}
