/// One of the ways to authenticate that a server offers (RFC 9110 section 11.6.1), as in `Basic realm="books"`.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// A parameter of a challenge.
    public struct Parameter: Sendable, Hashable {
        /// The name in the case it was given.
        public var name: String
        /// The value, without quotes and escapes.
        public var value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The scheme in the case it was given, such as `Digest`.
    public var scheme: String
    /// The data of a scheme that has no parameters, such as `Negotiate`.
    public var token68: String?
    /// The parameters in order.
    public var parameters: [Parameter]

    /// Creates a challenge.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The first parameter of a name; names are compared without regard to case.
    public subscript(name: String) -> String? {
        for parameter in parameters where ByteClass.equalIgnoringCase(parameter.name, name) { return parameter.value }
        return nil
    }

    /// The protection space's name.
    public var realm: String? { self["realm"] }

    /// Whether the challenge is of a scheme, without regard to case.
    public func isScheme(_ name: String) -> Bool { ByteClass.equalIgnoringCase(scheme, name) }

    /// The challenges of field values, in order; what is no challenge is left out.
    public static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        values.flatMap { value in
            var parser = ChallengeParser(value)
            return parser.challenges()
        }
    }
}

extension HTTPHeaders {
    /// The challenges of all fields of a name: `WWW-Authenticate`, or `Proxy-Authenticate` for those of a proxy.
    public func challenges(_ name: String = "WWW-Authenticate") -> [AuthenticationChallenge] {
        AuthenticationChallenge.parse(values(name))
    }
}

extension Response {
    /// The ways to authenticate that the server offers with a status of 401, or a proxy with 407.
    public var challenges: [AuthenticationChallenge] {
        headers.challenges(status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate")
    }
}
