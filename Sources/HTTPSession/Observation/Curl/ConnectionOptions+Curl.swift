extension ConnectionOptions {
    /// The options of `curl` that connect to a URL as these say, each a word of its own and not quoted; passwords are
    /// masked.
    /// - Parameter url: The URL that is requested.
    public func curlOptions(for url: HTTPURL) -> [String] {
        Array(CurlConnection(self, url: url, redaction: Redaction()).options.joined())
    }
}
