extension ConnectionOptions {
    /// The options of `curl` that connect to a URL as these say, each a word of its own and not quoted.
    /// - Parameters:
    ///   - url: The URL that is requested.
    ///   - redaction: Gives what stands for passwords.
    public func curlOptions(for url: HTTPURL, redaction: Redaction = .standard) -> [String] {
        Array(CurlConnection(self, url: url, redaction: redaction).options.joined())
    }
}
