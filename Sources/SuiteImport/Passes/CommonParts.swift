/// The parts that the requests of a suite have in common: the origin of their URLs, header fields, credentials, and
/// settings.
struct CommonParts {
    /// The header fields of every request.
    private(set) var headers: [ImportedField] = []
    /// The credentials of most requests.
    private(set) var auth: ImportedAuth?
    /// The settings of most requests.
    private(set) var settings: [ImportedSetting] = []

    /// Moves the common parts of a suite's requests to its base URL and its defaults.
    init(of suite: inout ImportedSuite) {
        let requests = suite.steps.map(\.request)
        if requests.isEmpty { return }
        Self.moveOrigin(of: &suite, requests)
        commonHeaders(requests)
        commonAuth(requests)
        commonSettings(requests)
        let common = self
        suite.forEachStep { common.remove(from: &$0.request) }
    }

    private static func moveOrigin(of suite: inout ImportedSuite, _ requests: [ImportedRequest]) {
        if suite.baseURL == nil {
            // The variables of tests are not known where the base URL is.
            let own = Set(
                suite.steps.flatMap { $0.capturedNames + $0.variables.map(\.name) }
                    + suite.tests.flatMap { $0.variables.map(\.name) })
            var uses = NameUses()
            let origins = requests.map { URLParts($0.url).origin }.filter { origin in
                !origin.isEmpty && !origin.expressions.contains { uses.names(in: $0).contains(where: own.contains) }
            }
            suite.baseURL = mostFrequent(origins)?.value
            // Only as a part of each URL, it keeps both of the slashes that the source sends.
            if let base = suite.baseURL, endsWithSlash(base, in: suite) { suite.baseURL = nil }
        }
        guard let base = suite.baseURL else { return }
        let mayHavePath = Self.mayHavePath(base, suite.variables)
        suite.forEachStep { step in
            let parts = URLParts(step.request.url)
            guard parts.origin == base else { return }
            // A relative URL with two slashes would lose one of them.
            if case .literal(let path)? = parts.path.parts.first, path.hasPrefix("//") { return }
            // Where the base has a path, a slash would change it.
            let start: ImportedText = mayHavePath ? "" : "/"
            if parts.path.isEmpty, mayHavePath, parts.query == nil { return }
            var url = parts.path.isEmpty ? start : parts.path
            if let query = parts.query { url = url + "?" + query }
            step.request.url = url
        }
    }

    /// Returns whether a base URL is a variable whose value ends with a slash.
    private static func endsWithSlash(_ base: ImportedText, in suite: ImportedSuite) -> Bool {
        guard case .expression(let name)? = base.parts.last else { return false }
        return (suite.variables + suite.environments.flatMap(\.variables)).contains { variable in
            guard variable.name == name, case .text(let text) = variable.value else { return false }
            return text.literal?.hasSuffix("/") ?? false
        }
    }

    /// Returns whether a base URL may have a path, because it ends with a variable whose value is not known or has one.
    private static func mayHavePath(_ base: ImportedText, _ variables: [ImportedVariable]) -> Bool {
        guard case .expression(let source)? = base.parts.last else { return false }
        let value = variables.first { $0.name == source }?.value
        guard case .text(let text)? = value, let literal = text.literal, !literal.isEmpty else { return true }
        return !URLParts(ImportedText(literal.contains("://") ? literal : "http://\(literal)")).path.isEmpty
    }

    private mutating func commonHeaders(_ requests: [ImportedRequest]) {
        guard requests.count > 1, let first = requests.first else { return }
        var common = Self.singleHeaders(of: first)
        common["content-type"] = nil
        for request in requests.dropFirst() where !common.isEmpty {
            let others = Self.singleHeaders(of: request)
            common = common.filter { others[$0.key] == $0.value }
        }
        headers = first.headers.filter { field in
            field.name.literal.map { common[$0.lowercased()] != nil } ?? false
        }
    }

    /// Returns the values of the header fields that occur once, by their names in lowercase.
    private static func singleHeaders(of request: ImportedRequest) -> [String: ImportedText] {
        var values: [String: ImportedText] = [:]
        var names: Set<String> = []
        for field in request.headers {
            guard let name = field.name.literal?.lowercased() else { continue }
            values[name] = names.insert(name).inserted ? field.value : nil
        }
        return values
    }

    private mutating func commonAuth(_ requests: [ImportedRequest]) {
        let all = requests.compactMap { request in request.auth.flatMap { $0 == ImportedAuth.none ? nil : $0 } }
        guard let (value, count) = Self.mostFrequent(all), count > 1 else { return }
        // Requests without credentials say so, which is worth it only if there are few of them.
        if count == requests.count || count > 2 && count * 2 > requests.count { auth = value }
    }

    private mutating func commonSettings(_ requests: [ImportedRequest]) {
        for key in ImportedSetting.Key.allCases where key != .stream {
            let values = requests.compactMap { $0.setting(key) }
            guard values.count == requests.count, requests.count > 1 || key == .redirects,
                let (value, count) = Self.mostFrequent(values), count > 1 || values.count == 1,
                !(key == .redirects && value == true && count == requests.count)
            else { continue }
            settings.append(ImportedSetting(key: key, value: value))
        }
    }

    private func remove(from request: inout ImportedRequest) {
        if !headers.isEmpty {
            let names = Set(headers.compactMap { $0.name.literal?.lowercased() })
            request.headers.removeAll { field in field.name.literal.map { names.contains($0.lowercased()) } ?? false }
            // A field that the request has is sent, also if clients should not add it themselves.
            request.suppressedHeaders.removeAll { names.contains($0.lowercased()) }
        }
        if let auth {
            if request.auth == auth {
                request.auth = nil
            } else if request.auth == nil {
                request.auth = ImportedAuth.none
            }
        } else if request.auth == ImportedAuth.none {
            request.auth = nil
        }
        request.settings.removeAll { settings.contains($0) }
        // Redirects are followed by default.
        if !settings.contains(where: { $0.key == .redirects }), request.setting(.redirects) == true {
            request.settings.removeAll { $0.key == .redirects }
        }
    }

    /// Returns the most frequent value, the first of equally frequent ones, with its number.
    private static func mostFrequent<Value: Hashable>(_ values: [Value]) -> (value: Value, count: Int)? {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        guard let most = counts.values.max(), let value = values.first(where: { counts[$0] == most }) else {
            return nil
        }
        return (value, most)
    }
}
