/// The form of a file with cookies.
public enum CookieFileFormat: Sendable, Hashable {
    /// JSON with all that a jar knows of each cookie.
    case json
    /// The `cookies.txt` of Netscape, which curl and wget read and write; it has no SameSite attribute.
    case netscape
}
