/// Which cookies a request sends, and where those of its response are kept.
public enum RequestCookies: Sendable {
    /// Those of the session's jar, if it has one.
    case inherited
    /// None; a `Cookie` field of the request's own is sent all the same.
    case never
    /// Those of a jar.
    case jar(CookieJar)

    /// Returns the jar that is used in a session with `jar`; nil for none.
    func jar(of session: CookieJar?) -> CookieJar? {
        switch self {
        case .inherited: session
        case .never: nil
        case .jar(let jar): jar
        }
    }

    /// Whether it is left to the session.
    var isInherited: Bool {
        if case .inherited = self { true } else { false }
    }
}
