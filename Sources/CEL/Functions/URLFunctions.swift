import Basics

/// The functions `url.parse`, `url.resolve`, and `query.parse`.
enum URLFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("url.parse") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            return .map(try parsed(text, &state))
        }
        functions.function("url.resolve") { base, reference, state throws(CELFailure) in
            guard case .string(let base) = base, case .string(let reference) = reference else { throw .noOverload }
            let start = try split(base, "url.resolve", &state)
            guard start.scheme != nil else {
                throw .message(
                    "url.resolve(): the base \(CELValue.string(base).brief) must have a scheme, such as https")
            }
            let target = try split(reference, "url.resolve", &state).resolved(against: start)
            return try state.made(target.description)
        }
        functions.function("query.parse") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            return .map(try parameters(text, &state))
        }
    }

    /// Splits a URL or a relative reference into its components.
    private static func split(
        _ text: String, _ name: String, _ state: inout CallState
    ) throws(CELFailure) -> URIReference {
        try state.meter.allocate(text.utf8.count)
        try state.meter.step(text.utf8.count >> 3)
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw .message(
                "\(name)(): \(CELValue.string(text).brief) contains a space or control character; percent-encode it")
        }
        return URIReference(text)
    }

    /// Returns the components of a URL or a relative reference; those that are missing are null.
    private static func parsed(_ text: String, _ state: inout CallState) throws(CELFailure) -> CELMap {
        let reference = try split(text, "url.parse", &state)
        let authority = try reference.authority.map { text throws(CELFailure) in try Authority(text) }
        let parameters = try parameters(reference.query ?? "", &state)
        func component(_ text: String?) -> CELValue { text.map { .string($0) } ?? .null }
        return CELMap([
            ("scheme", component(reference.scheme)),
            ("user", component(authority?.user)),
            ("password", component(authority?.password)),
            ("host", component(authority?.host)),
            ("port", authority?.port.map { .int(Int64($0)) } ?? .null),
            ("path", .string(reference.path)),
            ("query", component(reference.query)),
            ("parameters", .map(parameters)),
            ("fragment", component(reference.fragment)),
        ])
    }

    /// Returns the values of each name in a query, in order.
    private static func parameters(_ query: String, _ state: inout CallState) throws(CELFailure) -> CELMap {
        let text = query.utf8.first == UInt8(ascii: "?") ? query.dropFirst() : Substring(query)
        try state.meter.step(text.utf8.count >> 3)
        try state.meter.allocate(text.utf8.count)
        var names: [String] = []
        var values: [CELMapKey: [CELValue]] = [:]
        var count = 0
        PercentEncoding.eachFormPair(of: text) { name, value in
            if values[.string(name)] == nil { names.append(name) }
            values[.string(name), default: []].append(.string(value))
            count += 1
        }
        try state.meter.step(count)
        try state.meter.allocate(elements: 3 * count)
        return CELMap(names.map { ($0, .list(CELList(values[.string($0)] ?? []))) })
    }
}

/// The parts of a URL's authority (RFC 3986, section 3.2).
private struct Authority {
    /// The percent-decoded name of the user.
    var user: String?
    /// The percent-decoded password of the user.
    var password: String?
    /// The host in lowercase; an IPv6 address without its brackets.
    let host: String
    var port: UInt16?

    init(_ text: String) throws(CELFailure) {
        var rest = Substring(text)
        if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            user = parts.first.map { PercentEncoding.decode($0) }
            password = parts.count > 1 ? PercentEncoding.decode(parts[1]) : nil
            rest = rest[rest.utf8.index(after: at)...]
        }
        let afterAddress: Substring
        if rest.utf8.first == UInt8(ascii: "[") {
            guard let bracket = rest.utf8.firstIndex(of: UInt8(ascii: "]")) else {
                throw .message("url.parse(): the address \(CELValue.string(text).brief) has no closing bracket")
            }
            host = rest[rest.utf8.index(after: rest.startIndex)..<bracket].lowercased()
            afterAddress = rest[rest.utf8.index(after: bracket)...]
        } else {
            let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            host = rest[..<colon].lowercased()
            afterAddress = rest[colon...]
        }
        guard !afterAddress.isEmpty, afterAddress != ":" else { return }
        let digits = afterAddress.dropFirst()
        guard afterAddress.utf8.first == UInt8(ascii: ":"), digits.utf8.allSatisfy(ASCII.isDigit),
            let number = UInt16(digits)
        else {
            throw .message(
                "url.parse(): the port \(CELValue.string(String(digits)).brief) is not a number from 0 to 65535")
        }
        port = number
    }
}
