public import JSON
public import OpenAPI

/// A login whose outputs are the credentials of a fuzz run.
///
/// All suites use the outputs as variables. The runner supplies their values to the suites that are sent, and the suites
/// of findings get them from a shared call.
public struct FuzzLogin: Sendable {
    /// The outputs that are the credentials of a security scheme.
    enum Source: Sendable {
        case value(String)
        case user(name: String, password: String)
    }

    /// The path of the file with the fragment that logs in, relative to the directory of the suites of findings.
    public var file: String
    /// The name of the fragment.
    public var fragment: String
    /// The paths of the `dotenv` files, relative to the directory of the suites of findings.
    public var dotenv: [String] = []
    /// The names of the outputs.
    let outputs: [String]
    /// The credentials by security scheme.
    let sources: [String: Source]
    /// The header fields of all requests, whose values contain expressions.
    let fields: [(name: String, value: String)]

    /// Matches the outputs of a login to the security schemes of a description.
    ///
    /// An output belongs to the scheme that has its name, or the name of whose header field, parameter or cookie it has.
    /// The only scheme of its kind also takes the usual name of such credentials: `token`, `apiKey`, or `username` and
    /// `password`.
    ///
    /// - Parameters:
    ///   - outputs: The names of the outputs.
    ///   - fields: Header fields for descriptions without a matching scheme; those whose values use only outputs are
    ///     sent.
    /// - Returns: `nil` if no output is a credential.
    public init?(
        file: String, fragment: String, outputs: [String], fields: [(name: String, value: String)],
        description: OpenAPIDescription
    ) {
        self.file = file
        self.fragment = fragment
        self.outputs = outputs
        let schemes = description.securitySchemes
        var sources: [String: Source] = [:]
        for scheme in schemes {
            let isOnly = schemes.count { $0.usualOutputs == scheme.usualOutputs } == 1
            sources[scheme.name] = Self.source(of: scheme, isOnly: isOnly, among: outputs)
        }
        self.sources = sources
        let fields = fields.filter { field in
            let names = SuiteNode.text(field.value).variables
            return !names.isEmpty && names.isSubset(of: outputs)
        }
        if !sources.isEmpty {
            self.fields = []
        } else if !fields.isEmpty {
            self.fields = fields
        } else if schemes.isEmpty, let token = Self.output(["token", "accessToken"], among: outputs) {
            self.fields = [("Authorization", "Bearer ${\(token)}")]
        } else {
            return nil
        }
    }

    /// The names of the outputs that are credentials.
    public var secrets: Set<String> {
        var names = fields.reduce(into: Set<String>()) { $0.formUnion(SuiteNode.text($1.value).variables) }
        for source in sources.values {
            switch source {
            case .value(let name): names.insert(name)
            case .user(_, let password): names.insert(password)
            }
        }
        return names.intersection(outputs)
    }

    /// Returns the names that an output may have to be a credential, for messages.
    public static func expectedOutputs(_ description: OpenAPIDescription) -> [String] {
        let schemes = description.securitySchemes
        return schemes.isEmpty ? ["token"] : schemes.map(\.name)
    }

    private static func source(of scheme: SecurityScheme, isOnly: Bool, among outputs: [String]) -> Source? {
        let usual = isOnly ? scheme.usualOutputs : []
        if case .http("basic", _) = scheme.kind { return user(usual, among: outputs) }
        if case .http("digest", _) = scheme.kind { return user(usual, among: outputs) }
        if case .mutualTLS = scheme.kind { return nil }
        var names = [scheme.name]
        if case .apiKey(_, let name) = scheme.kind { names.append(name) }
        return output(names + usual, among: outputs).map { .value($0) }
    }

    private static func user(_ usual: [String], among outputs: [String]) -> Source? {
        guard !usual.isEmpty, let password = output(["password"], among: outputs),
            let name = output(["username", "user"], among: outputs)
        else { return nil }
        return .user(name: name, password: password)
    }

    /// Returns the output with one of the names, in their order. Case and punctuation do not matter.
    private static func output(_ names: [String], among outputs: [String]) -> String? {
        func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
        return names.lazy.compactMap { name in outputs.first { folded($0) == folded(name) } }.first
    }
}

extension SecurityScheme {
    /// The usual names of the outputs with the credentials of the scheme.
    fileprivate var usualOutputs: [String] {
        switch kind {
        case .apiKey: ["apiKey", "key", "session"]
        case .http("basic", _), .http("digest", _): ["password"]
        case .http, .oauth2, .openIDConnect: ["token", "accessToken"]
        case .mutualTLS: []
        }
    }
}

extension FuzzLogin {
    /// The shared call that logs in.
    var call: SuiteNode {
        .map([("call", .text(SuiteNode.escaped(fragment))), ("once", .text("run"))])
    }

    /// Returns the text of a fragment file with a login that was written as a test of a suite.
    ///
    /// - Parameters:
    ///   - settings: The settings that the test uses: `use`, `secrets`, `variables` and others.
    ///   - fragments: The fragments. One of them logs in.
    public static func fragmentFile(
        description: String, settings: JSONObject, fragments: JSONObject
    ) -> String {
        var entries: [(String, SuiteNode)] = [("description", .text(SuiteNode.escaped(description)))]
        entries += settings.map { ($0.key, SuiteNode(source: $0.value)) }
        entries.append(("fragments", SuiteNode(source: .object(fragments))))
        var writer = SuiteTextWriter()
        writer.write(entries, separated: ["variables", "defaults", "fragments"])
        return writer.text
    }
}

extension SuiteNode {
    /// Creates a node from a part of a suite, whose strings may contain expressions.
    init(source value: JSONValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map { SuiteNode(source: $0) })
        case .object(let object): self = .map(object.map { ($0.key, SuiteNode(source: $0.value)) })
        case .null, .bool, .number: self = SuiteNode(value)
        }
    }
}
