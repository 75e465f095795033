import Basics

/// An authentication challenge of a server (RFC 9110, section 11.6.1), such as `Basic realm="books"`.
public struct AuthenticationChallenge: Sendable, Hashable {
    /// A parameter of a challenge.
    public struct Parameter: Sendable, Hashable {
        /// The name as written.
        public var name: String
        /// The value, without quotation marks and escapes.
        public var value: String

        /// Creates a parameter.
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The authentication scheme as written, such as `Digest`.
    public var scheme: String
    /// The token68 data of a challenge without parameters, as in `Negotiate`.
    public var token68: String?
    /// The parameters, in order.
    public var parameters: [Parameter]

    /// Creates a challenge.
    /// - Parameters:
    ///   - scheme: The authentication scheme.
    ///   - token68: The token68 data of a challenge without parameters.
    ///   - parameters: The parameters, in order.
    public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The value of the first parameter with a name, compared case-insensitively.
    public subscript(name: String) -> String? {
        for parameter in parameters where ASCII.equalIgnoringCase(parameter.name, name) { return parameter.value }
        return nil
    }

    /// The realm, which names the protection space.
    public var realm: String? { self["realm"] }

    /// Returns whether the challenge uses a scheme, compared case-insensitively.
    public func isScheme(_ name: String) -> Bool { ASCII.equalIgnoringCase(scheme, name) }

    /// Parses the challenges of field values, in order, skipping malformed ones.
    public static func parse(_ values: [String]) -> [AuthenticationChallenge] {
        values.flatMap { value in
            var parser = ChallengeParser(value)
            return parser.challenges()
        }
    }
}

extension HTTPHeaders {
    /// Returns the challenges of all fields with a name.
    /// - Parameter name: The name of the field: `WWW-Authenticate`, or `Proxy-Authenticate` for those of a proxy.
    public func challenges(_ name: String = "WWW-Authenticate") -> [AuthenticationChallenge] {
        AuthenticationChallenge.parse(values(name))
    }
}

extension Response {
    /// The authentication challenges of a 401 response, or of a proxy's 407 response.
    public var challenges: [AuthenticationChallenge] {
        headers.challenges(status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate")
    }
}

/// A parser of challenges in a field value (RFC 9110, sections 11.2 and 11.6.1).
///
/// Commas separate both challenges and parameters. The next element is a parameter if its name is followed by "=", and
/// a challenge otherwise.
struct ChallengeParser {
    private let bytes: [UInt8]
    private var position = 0

    private static let token = ByteClass.token
    private static let token68 = ByteClass.Set(alphanumericAnd: "-._~+/")

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// Returns all challenges; a malformed one is skipped up to the next comma.
    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        while true {
            skipSeparators()
            guard position < bytes.count else { return challenges }
            if let challenge = challenge() { challenges.append(challenge) } else { skipElement() }
        }
    }

    private mutating func challenge() -> AuthenticationChallenge? {
        guard let scheme = readToken() else { return nil }
        guard isAtEnd || isComma || isSpace else { return nil }
        skipSpaces()
        var challenge = AuthenticationChallenge(scheme: scheme)
        // "name = value" is a parameter without a scheme.
        if peek == UInt8(ascii: "=") { return nil }
        if let data = readToken68() {
            challenge.token68 = data
            return challenge
        }
        while let parameter = readParameter() {
            challenge.parameters.append(parameter)
            skipSpaces()
            guard isAtEnd || isComma else {
                skipElement()
                continue
            }
            let end = position
            skipSeparators()
            if !isParameter {
                position = end
                break
            }
        }
        return challenge
    }

    // MARK: Parts

    private mutating func readToken() -> String? {
        let start = position
        while position < bytes.count, Self.token.contains(bytes[position]) { position += 1 }
        return start < position ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// Reads token68 data if they make up the whole element, unlike the name of a parameter.
    private mutating func readToken68() -> String? {
        let start = position
        while position < bytes.count, Self.token68.contains(bytes[position]) { position += 1 }
        guard start < position else { return nil }
        while peek == UInt8(ascii: "=") { position += 1 }
        let end = position
        skipSpaces()
        guard isAtEnd || isComma else {
            position = start
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether a name and "=" follow.
    private var isParameter: Bool {
        var copy = self
        guard copy.readToken() != nil else { return false }
        copy.skipSpaces()
        return copy.peek == UInt8(ascii: "=")
    }

    private mutating func readParameter() -> AuthenticationChallenge.Parameter? {
        let start = position
        guard let name = readToken() else { return nil }
        skipSpaces()
        guard peek == UInt8(ascii: "=") else {
            position = start
            return nil
        }
        position += 1
        skipSpaces()
        return .init(name, peek == UInt8(ascii: "\"") ? readQuoted() : readBare())
    }

    /// Reads up to the next comma or space: a token, or a malformed value that some servers send in its place.
    private mutating func readBare() -> String {
        let start = position
        while !isAtEnd, !isComma, !isSpace { position += 1 }
        return ByteClass.text(bytes[start..<position])
    }

    /// Reads a quoted string without its escapes; an unterminated one extends to the end.
    private mutating func readQuoted() -> String {
        position += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            position += 1
            if byte == UInt8(ascii: "\\"), let next = peek {
                value.append(next)
                position += 1
            } else {
                value.append(byte)
            }
        }
        if !isAtEnd { position += 1 }
        return ByteClass.text(value)
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
    private var isAtEnd: Bool { position >= bytes.count }
    private var isComma: Bool { peek == UInt8(ascii: ",") }
    private var isSpace: Bool { peek == 32 || peek == 9 }

    private mutating func skipSpaces() {
        while isSpace { position += 1 }
    }

    private mutating func skipSeparators() {
        while isSpace || isComma { position += 1 }
    }

    /// Skips everything up to the next comma outside of quotation marks.
    private mutating func skipElement() {
        while !isAtEnd, !isComma {
            if peek == UInt8(ascii: "\"") { _ = readQuoted() } else { position += 1 }
        }
    }
}
