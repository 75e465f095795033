/// A transformation of all strings and expressions of a part of the form.
struct FormTransform {
    /// Transforms a string.
    var text: (ImportedText) -> ImportedText
    /// Transforms the source of an expression that is not a part of a string, such as an assertion.
    var expression: (String) -> String

    /// Creates a transformation that changes the expressions, in strings and elsewhere.
    init(expressions transform: @escaping (String) -> String) {
        text = { $0.mapExpressions(transform) }
        expression = transform
    }

    /// Returns the transformed value.
    func callAsFunction(_ value: ImportedValue) -> ImportedValue { value.mapTexts(text) }

    private func callAsFunction(_ fields: [ImportedField]) -> [ImportedField] {
        fields.map { ImportedField(text($0.name), text($0.value)) }
    }

    private func callAsFunction(_ members: [ImportedValue.Member]) -> [ImportedValue.Member] {
        members.map { ImportedValue.Member(text($0.key), self($0.value)) }
    }

    /// Returns the transformed variables.
    func callAsFunction(_ variables: [ImportedVariable]) -> [ImportedVariable] {
        variables.map { ImportedVariable($0.name, self($0.value), isSecret: $0.isSecret) }
    }

    /// Transforms a request.
    func apply(to request: inout ImportedRequest) {
        request.methodExpression = request.methodExpression.map(expression)
        request.url = text(request.url)
        request.query = self(request.query)
        request.headers = self(request.headers)
        request.cookies = self(request.cookies)
        request.settings = request.settings.map { ImportedSetting(key: $0.key, value: self($0.value)) }
        switch request.auth {
        case .basic(let username, let password):
            request.auth = .basic(username: text(username), password: text(password))
        case .digest(let username, let password):
            request.auth = .digest(username: text(username), password: text(password))
        case .bearer(let token): request.auth = .bearer(text(token))
        case .apiKey(let location, let name, let value):
            request.auth = .apiKey(location, name: text(name), value: text(value))
        case .oauth2(let members): request.auth = .oauth2(self(members))
        case .awsSigV4(let members): request.auth = .awsSigV4(self(members))
        case .none?, nil: break
        }
        request.body = request.body.map(self.body)
    }

    private func body(_ body: ImportedBody) -> ImportedBody {
        switch body {
        case .json(let value): .json(self(value))
        case .text(let text): .text(self.text(text))
        case .xml(let text): .xml(self.text(text))
        case .form(let fields): .form(self(fields))
        case .multipart(let parts):
            .multipart(
                parts.map { part in
                    var part = part
                    part.name = text(part.name)
                    switch part.content {
                    case .text(let text): part.content = .text(self.text(text))
                    case .file(let path): part.content = .file(text(path))
                    case .json(let value): part.content = .json(self(value))
                    }
                    part.fileName = part.fileName.map(text)
                    part.type = part.type.map(text)
                    part.headers = self(part.headers)
                    return part
                })
        case .graphQL(let query, let variables, let operation):
            .graphQL(
                query: text(query), variables: variables.map { self($0) }, operationName: operation.map(text))
        case .file(let path): .file(text(path))
        case .base64: body
        }
    }

    private func matcher(_ matcher: ImportedMatcher) -> ImportedMatcher {
        var matcher = matcher
        for index in matcher.clauses.indices { matcher.clauses[index].operand = self(matcher.clauses[index].operand) }
        return matcher
    }

    /// Returns a transformed expectation.
    func callAsFunction(_ check: ImportedCheck) -> ImportedCheck {
        switch check {
        case .status, .schema: check
        case .statusMatches(let matcher): .statusMatches(self.matcher(matcher))
        case .matches(let subject, let matcher):
            switch subject {
            case .header(let name): .matches(.header(text(name)), self.matcher(matcher))
            case .cookie(let name): .matches(.cookie(text(name)), self.matcher(matcher))
            case .cookieAttribute(let name, let key): .matches(.cookieAttribute(text(name), key), self.matcher(matcher))
            case .json(let path): .matches(.json(text(path)), self.matcher(matcher))
            case .certificate, .xml, .html, .text, .body, .duration, .size, .redirects, .http, .sha256,
                .hops:
                .matches(subject, self.matcher(matcher))
            }
        case .assertion(let source): .assertion(expression(source))
        }
    }

    /// Returns a transformed capture.
    func callAsFunction(_ capture: ImportedCapture) -> ImportedCapture {
        var capture = capture
        switch capture.source {
        case .json(let path): capture.source = .json(text(path))
        case .header(let name): capture.source = .header(text(name))
        case .cookie(let name): capture.source = .cookie(text(name))
        case .expression(let source): capture.source = .expression(expression(source))
        case .regex, .xpath, .status, .body, .text: break
        }
        capture.fallback = capture.fallback.map { self($0) }
        return capture
    }

    /// Transforms the parts of an exchange that are evaluated before its response.
    func applyBeforeResponse(to step: inout ImportedStep) {
        step.condition = step.condition.map(expression)
        step.variables = self(step.variables)
        step.retry = step.retry.map { self($0) }
        apply(to: &step.request)
        if var polling = step.polling {
            polling.checks = polling.checks.map { self($0) }
            polling.times = polling.times.map { self($0) }
            step.polling = polling
        }
    }

    /// Transforms the parts of an exchange that are evaluated after its response.
    func applyAfterResponse(to step: inout ImportedStep) {
        step.captures = step.captures.map { self($0) }
        step.checks = step.checks.map { self($0) }
        step.messages = step.messages?.map { self($0) }
    }

    private func callAsFunction(_ message: ImportedMessage) -> ImportedMessage {
        switch message {
        case .send(let body): return .send(self.body(body))
        case .receive(var received):
            received.checks = received.checks.map { self($0) }
            received.captures = received.captures.map { self($0) }
            return .receive(received)
        case .close: return message
        }
    }

    /// Returns transformed rows.
    func callAsFunction(_ rows: ImportedRows) -> ImportedRows {
        switch rows {
        case .rows(let rows): .rows(rows.map { self($0) })
        case .file(let path): .file(text(path))
        case .matrix(let axes): .matrix(self(axes))
        }
    }
}

extension ImportedSuite {
    /// Calls a closure with every exchange in the order of the run, to change it.
    mutating func forEachStep(_ body: (inout ImportedStep) -> Void) {
        for index in setup.indices { body(&setup[index]) }
        for test in tests.indices {
            for index in tests[test].steps.indices { body(&tests[test].steps[index]) }
            for index in tests[test].cleanup.indices { body(&tests[test].cleanup[index]) }
        }
        for index in teardown.indices { body(&teardown[index]) }
    }

    /// All exchanges in the order of the run.
    var steps: [ImportedStep] { setup + tests.flatMap { $0.steps + $0.cleanup } + teardown }
}
