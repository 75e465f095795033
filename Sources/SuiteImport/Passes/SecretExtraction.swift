import Basics
import SuiteLint

/// Replaces the secrets of a suite with variables that are read from the environment.
struct SecretExtraction {
    private var names: ImportedNames
    /// Whether values with names of secrets are secret even if they look like placeholders.
    private let isRecorded: Bool
    /// The variable of each secret value.
    private var variables: [String: String] = [:]
    private var added: [ImportedVariable] = []
    /// The variables that are used where only secrets stand.
    private var secretNames: Set<String> = []

    /// Replaces the secrets of a suite.
    static func apply(to suite: inout ImportedSuite) {
        var names = ImportedNames()
        for name in suite.definedNames.sorted() { _ = names.unique(name) }
        var pass = SecretExtraction(names: names, isRecorded: suite.isRecorded)
        // The values of variables come first, so that the same value in a request becomes the same variable.
        for index in suite.variables.indices { pass.variable(&suite.variables[index]) }
        for environment in suite.environments.indices {
            for index in suite.environments[environment].variables.indices {
                pass.variable(&suite.environments[environment].variables[index], isShared: false)
            }
        }
        suite.forEachStep { pass.step(&$0) }
        suite.variables += pass.added
        for index in suite.variables.indices where pass.secretNames.contains(suite.variables[index].name) {
            pass.hide(&suite.variables[index])
        }
        for environment in suite.environments.indices {
            for index in suite.environments[environment].variables.indices
            where pass.secretNames.contains(suite.environments[environment].variables[index].name) {
                pass.hide(&suite.environments[environment].variables[index])
            }
        }
    }

    private init(names: ImportedNames, isRecorded: Bool) {
        self.names = names
        self.isRecorded = isRecorded
    }

    // MARK: Variables

    private mutating func variable(_ variable: inout ImportedVariable, isShared: Bool = true) {
        guard case .text(let text) = variable.value, let literal = text.literal else { return }
        let isSecret =
            variable.isSecret || SecretShape.find(in: literal) != nil || SecretShape.passwordOfURL(in: literal) != nil
            || SecretShape.isSecretName(variable.name) && SecretShape.mayBeSecret(literal)
        guard isSecret else { return }
        if isShared, !literal.isEmpty { variables[literal] = variable.name }
        hide(&variable)
    }

    /// Replaces the literal value of a variable with that of an environment variable.
    private func hide(_ variable: inout ImportedVariable) {
        if case .text(let text) = variable.value, text.literal != nil {
            variable = ImportedVariable(
                variable.name, environment: ImportedNames.environmentName(variable.name), isSecret: true)
        }
        variable.isSecret = true
    }

    /// Returns a variable in place of a secret text.
    private mutating func hidden(_ text: ImportedText, _ name: String) -> ImportedText {
        if let expression = text.soleExpression {
            secretNames.insert(expression)
            return text
        }
        guard let literal = text.literal, !literal.isEmpty else { return text }
        if let known = variables[literal] { return .variable(known) }
        let variable = names.unique(ImportedNames.valid(name))
        variables[literal] = variable
        added.append(
            ImportedVariable(variable, environment: ImportedNames.environmentName(variable), isSecret: true))
        return .variable(variable)
    }

    // MARK: Exchanges

    private mutating func step(_ step: inout ImportedStep) {
        authorization(&step.request)
        auth(&step.request)
        headers(&step.request)
        cookies(&step.request)
        url(&step.request)
        step.request.query = fields(step.request.query)
        step.request.body = step.request.body.map { body($0) }
        for index in step.request.settings.indices {
            step.request.settings[index].value = value(step.request.settings[index].value, key: "")
        }
        step.messages = step.messages?.map { message in
            if case .send(let content) = message { .send(body(content)) } else { message }
        }
        for index in step.variables.indices { variable(&step.variables[index], isShared: false) }
    }

    /// Replaces an `Authorization` header with `auth` if this sends the same.
    private func authorization(_ request: inout ImportedRequest) {
        guard request.auth == nil, request.headers.count(where: { $0.isNamed("Authorization") }) == 1,
            let header = request.header("Authorization")
        else { return }
        if let token = header.dropping(prefix: "Bearer "), !token.isEmpty, !hasOuterSpace(token) {
            request.auth = .bearer(token)
        } else if let encoded = header.dropping(prefix: "Basic ")?.literal,
            let bytes = Base64.decode(encoded.utf8), Base64.encode(bytes) == encoded,
            let pair = String(validating: bytes, as: UTF8.self), let colon = pair.utf8.firstIndex(of: UInt8(ascii: ":"))
        {
            request.auth = .basic(
                username: ImportedText(pair[..<colon]), password: ImportedText(pair[pair.utf8.index(after: colon)...]))
        } else {
            return
        }
        request.removeHeader("Authorization")
    }

    private func hasOuterSpace(_ text: ImportedText) -> Bool {
        if case .literal(let first)? = text.parts.first, first.hasPrefix(" ") { return true }
        if case .literal(let last)? = text.parts.last, last.hasSuffix(" ") { return true }
        return false
    }

    private mutating func auth(_ request: inout ImportedRequest) {
        switch request.auth {
        case nil, .none?: break
        case .basic(let username, let password):
            request.auth = .basic(username: username, password: hidden(password, "password"))
        case .digest(let username, let password):
            request.auth = .digest(username: username, password: hidden(password, "password"))
        case .bearer(let token): request.auth = .bearer(hidden(token, "token"))
        case .apiKey(let location, let name, let value):
            request.auth = .apiKey(location, name: name, value: hidden(value, "apiKey"))
        case .oauth2(let members): request.auth = .oauth2(secretMembers(members))
        case .awsSigV4(let members): request.auth = .awsSigV4(secretMembers(members))
        }
    }

    private static let secretKeys: Set<String> = [
        "clientSecret", "password", "refreshToken", "accessKey", "secretKey", "sessionToken",
    ]

    private mutating func secretMembers(_ members: [ImportedValue.Member]) -> [ImportedValue.Member] {
        members.map { member in
            guard let key = member.key.literal, Self.secretKeys.contains(key), case .text(let text) = member.value
            else {
                return member
            }
            return ImportedValue.Member(member.key, .text(hidden(text, key)))
        }
    }

    private static let secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "apikey", "x-auth-token",
        "x-access-token",
        "x-csrf-token", "x-xsrf-token", "x-auth-key", "ocp-apim-subscription-key", "x-amz-security-token", "x-auth",
    ]

    private mutating func headers(_ request: inout ImportedRequest) {
        for index in request.headers.indices {
            guard let name = request.headers[index].name.literal else { continue }
            let value = request.headers[index].value
            if Self.secretHeaders.contains(name.lowercased()) || SecretShape.isSecretName(name) {
                // The scheme before the secret is not one.
                if let literal = value.literal, let space = literal.firstIndex(of: " "),
                    name.lowercased().hasSuffix("authorization")
                {
                    let secret = hidden(ImportedText(literal[literal.index(after: space)...]), Self.camelCase(name))
                    request.headers[index].value = ImportedText(literal[...space]) + secret
                } else {
                    request.headers[index].value = hidden(value, Self.camelCase(name))
                }
            } else {
                request.headers[index].value = exposed(value)
            }
        }
    }

    private mutating func cookies(_ request: inout ImportedRequest) {
        for index in request.cookies.indices {
            guard let name = request.cookies[index].name.literal else { continue }
            let value = request.cookies[index].value
            // Short words, such as `dark`, are settings rather than credentials.
            let isSetting = value.literal.map { $0.utf8.count < 8 && !SecretShape.isSecretName(name) } ?? false
            if !isSetting { request.cookies[index].value = hidden(value, Self.camelCase(name)) }
        }
    }

    /// Replaces secrets in the query and the user information of a URL.
    private mutating func url(_ request: inout ImportedRequest) {
        if case .literal(let first)? = request.url.parts.first, let password = SecretShape.passwordOfURL(in: first),
            let range = first.firstRange(of: ":\(password)@"), let rest = request.url.dropping(prefix: first)
        {
            request.url =
                ImportedText(first[..<range.lowerBound]) + ":" + hidden(ImportedText(password), "password") + "@"
                + ImportedText(first[range.upperBound...]) + rest
        }
        let parts = URLParts(request.url)
        guard parts.query != nil, parts.pairs.contains(where: { isSecret($0.name.literal ?? "", $0.value) }) else {
            request.url = exposed(request.url)
            return
        }
        var url = parts.origin + parts.path + "?"
        for (index, pair) in parts.pairs.enumerated() {
            if index > 0 { url.append(literal: "&") }
            url.append(pair.name)
            guard let value = pair.value else { continue }
            url.append(literal: "=")
            url.append(
                isSecret(pair.name.literal ?? "", value)
                    ? hidden(value, Self.camelCase(pair.name.literal ?? "")) : value)
        }
        request.url = url
    }

    private func isSecret(_ name: String, _ value: ImportedText?) -> Bool {
        guard let literal = value?.literal else { return false }
        return SecretShape.isSecretName(name) && (SecretShape.mayBeSecret(literal) || isRecorded && !literal.isEmpty)
            || variables[literal] != nil && literal.utf8.count >= 8
    }

    private mutating func fields(_ fields: [ImportedField]) -> [ImportedField] {
        fields.map { field in
            let name = field.name.literal ?? ""
            return isSecret(name, field.value)
                ? ImportedField(field.name, hidden(field.value, Self.camelCase(name)))
                : ImportedField(field.name, exposed(field.value))
        }
    }

    // MARK: Bodies

    private mutating func body(_ body: ImportedBody) -> ImportedBody {
        switch body {
        case .json(let value): .json(self.value(value, key: ""))
        case .text(let text): .text(exposed(text))
        case .xml(let text): .xml(exposed(text))
        case .form(let fields): .form(self.fields(fields))
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    var part = part
                    if case .text(let text) = part.content {
                        let name = part.name.literal ?? ""
                        part.content = .text(
                            isSecret(name, text) ? hidden(text, Self.camelCase(name)) : exposed(text))
                    }
                    return part
                })
        case .graphQL(let query, let variables, let operation):
            .graphQL(
                query: query, variables: variables.map { value($0, key: "") }, operationName: operation)
        case .file, .base64: body
        }
    }

    /// Replaces the secrets in a value. Its depth is limited where it is created.
    private mutating func value(_ value: ImportedValue, key: String) -> ImportedValue {
        switch value {
        case .plain: return value
        case .text(let text):
            return .text(isSecret(key, text) ? hidden(text, Self.camelCase(key)) : exposed(text))
        case .sequence(let elements):
            var result: [ImportedValue] = []
            for element in elements { result.append(self.value(element, key: key)) }
            return .sequence(result)
        case .mapping(let members):
            var result: [ImportedValue.Member] = []
            for member in members {
                result.append(ImportedValue.Member(member.key, self.value(member.value, key: member.key.literal ?? "")))
            }
            return .mapping(result)
        }
    }

    /// Returns a text in which secrets of known formats are replaced.
    private mutating func exposed(_ text: ImportedText) -> ImportedText {
        var result = ImportedText()
        for part in text.parts {
            switch part {
            case .expression(let source): result.append(expression: source)
            case .literal(let literal):
                var rest = literal[...]
                while let secret = SecretShape.find(in: String(rest))?.secret, let range = rest.firstRange(of: secret) {
                    result.append(literal: rest[..<range.lowerBound])
                    result.append(hidden(ImportedText(secret), "token"))
                    rest = rest[range.upperBound...]
                }
                result.append(literal: rest)
            }
        }
        return result
    }

    /// Returns a name in the notation of variables: `apiKey` for `X-API-Key`.
    private static func camelCase(_ name: String) -> String {
        var words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        if words.count > 1, words[0].lowercased() == "x" { words.removeFirst() }
        guard let first = words.first else { return "secret" }
        let isOneWord = words.count == 1 && first.contains { $0.isLowercase }
        let start = isOneWord ? String(first.prefix(1)).lowercased() + first.dropFirst() : first.lowercased()
        return start + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }
}

extension ImportedSuite {
    /// The names of all variables, captures and columns.
    var definedNames: Set<String> {
        var names = Set(variables.map(\.name))
        for environment in environments { names.formUnion(environment.variables.map(\.name)) }
        for test in tests {
            names.formUnion(test.variables.map(\.name))
            names.formUnion(test.columns)
        }
        for step in steps {
            names.formUnion(step.capturedNames)
            names.formUnion(step.variables.map(\.name))
        }
        return names
    }
}

extension ImportedTest {
    /// The names of the columns of the rows; none for those of a file.
    var columns: [String] {
        switch rows {
        case .rows(let rows): rows.first?.compactMap(\.key.literal) ?? []
        case .matrix(let axes): axes.compactMap(\.key.literal)
        case .file, nil: []
        }
    }
}
