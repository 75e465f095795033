import Basics
import Diagnostics
import JSON
import JSONSchema

/// The validation of one exchange against a description.
struct ContractCheck {
    let contract: Contract
    let exchange: ContractExchange
    let settings: ContractSettings
    let json: () throws(JSONParseError) -> JSONValue
    /// The message to validate; nil for both.
    var message: ContractMessage?
    var outcome = ContractOutcome()
    var title: String?

    /// The maximum number of violation groups to report for one schema.
    private static let maximumViolations = 10
    /// The maximum number of violations to count for one value.
    static let countedViolations = 20_000

    init(
        contract: Contract, exchange: ContractExchange, settings: ContractSettings,
        json: @escaping () throws(JSONParseError) -> JSONValue
    ) {
        self.contract = contract
        self.exchange = exchange
        self.settings = settings
        self.json = json
    }

    /// Finds the operation and validates the exchange against it.
    ///
    /// - Parameter named: The index of the operation, if the suite names one.
    mutating func run(_ named: Int?) {
        find(named)
        gatherBehindFailure()
    }

    /// Keeps one difference after a server error, because the error is likely to have caused the others.
    private mutating func gatherBehindFailure() {
        let findings = outcome.findings
        guard exchange.status >= 500, findings.count > 1, !exchange.isExpectation else { return }
        let position = findings.firstIndex { $0.rule == .serverError } ?? findings.firstIndex { $0.isError }
        guard let position else { return }
        var first = findings[position]
        let count = findings.count - 1
        let note: MessageText =
            "\(count) more difference\(count == 1 ? " is" : "s are") not shown because the server failed"
        first.suggestion = first.suggestion.map { $0 + "; " + note } ?? note
        outcome.findings = [first]
    }

    private mutating func find(_ named: Int?) {
        let url = URLParts(exchange.url)
        let base = exchange.baseURL.map { URLParts($0) }
        if let named, contract.operations.indices.contains(named) {
            let values = contract.router.values(of: named, url, base: base)
            check(contract.operations[named], url, values)
            return
        }
        // Requests to other servers, such as for a token, belong to a different API.
        if let base, !base.authority.elementsEqual(url.authority), !contract.router.isServer(url) { return }
        switch contract.router.route(method: exchange.method, url, base: base) {
        case .operation(let index, let values): check(contract.operations[index], url, values)
        case .otherMethods(let path, let methods):
            outcome.undocumented.append("\(exchange.method) \(path)")
            let location = contract.description.paths.first { $0.path == path }?.node
            add(
                .undocumentedOperation, at: "request",
                "\(exchange.method) \(path) is not documented; documented methods: \(methods.joined(separator: ", "))",
                location: location)
        case .unknown(let path, let nearest):
            outcome.undocumented.append("\(exchange.method) \(path)")
            add(
                .undocumentedOperation, at: "request", "\(exchange.method) \(path) is not documented",
                suggestion: nearest.map { "did you mean \($0)?" } ?? serversHint(url),
                location: contract.description.root["paths"])
        }
    }

    /// Returns a hint with the servers' base path, if the description's servers have one.
    private func serversHint(_ url: URLParts) -> MessageText? {
        let urls = contract.description.servers.map(\.defaultURL).filter { $0 != "/" }
        guard let first = urls.first else { return nil }
        return "documented paths start with \(first)"
    }

    private mutating func check(
        _ operation: ContractOperation, _ url: URLParts, _ values: [(name: String, text: String)]?
    ) {
        title = operation.title
        outcome.covered.append(operation.item)
        if operation.operation.isDeprecated {
            add(
                .deprecatedOperation, at: "request", "the operation is deprecated",
                location: operation.operation.node["deprecated"] ?? operation.operation.node)
        }
        if message != .response {
            var fields = RequestFields(url: url, headers: exchange.requestHeaders, path: values)
            checkParameters(operation, &fields)
            checkRequestBody(operation)
            if settings.checks(.missingSecurity) { checkSecurity(operation.operation, &fields) }
        }
        if message != .request { checkResponse(operation) }
    }

    // MARK: Findings

    /// Returns whether a rule is enabled.
    func checks(_ rule: ContractRule) -> Bool { settings.checks(rule) }

    /// Adds a difference unless its rule is off.
    ///
    /// - Parameter isError: Whether the difference is an error by default. The settings can override it.
    mutating func add(
        _ rule: ContractRule, at subject: String, _ message: MessageText, suggestion: MessageText? = nil,
        location: DescriptionNode? = nil, isError: Bool? = nil, expected: JSONValue? = nil, actual: JSONValue? = nil,
        instances: [MessageText] = [], path: NormalizedPath? = nil, parameter: Parameter? = nil,
        place: ContractFinding.Place? = nil
    ) {
        guard settings.checks(rule) else { return }
        let isWarning = rule == .deprecatedOperation || rule == .unusableSchema
        var isError = isError ?? !isWarning
        if let severity = settings.severities[rule] { isError = severity == .error }
        outcome.findings.append(
            ContractFinding(
                rule: rule, isError: isError, operation: title, subject: subject, message: message,
                suggestion: suggestion, location: location, expected: expected, actual: actual, instances: instances,
                path: path,
                place: place ?? parameter.map { ContractFinding.Place(location: $0.location, name: $0.name) }))
    }

    /// Validates a value against a schema.
    ///
    /// - Parameter subject: The location of the value in the exchange: `response body`, `query limit`.
    mutating func check(
        _ value: JSONValue, _ schema: ContractSchema, _ rule: ContractRule, at subject: String
    ) {
        guard settings.checks(rule), let compiled = usable(schema) else { return }
        if exchange.isExpectation, rule == .responseBody { reportUndocumentedMembers(of: value, schema, at: subject) }
        if compiled.isValid(value) { return }
        report(compiled.violations(of: value, upTo: Self.countedViolations), schema, rule, at: subject)
    }

    /// Reports the members that a client expects although the description does not document them.
    private mutating func reportUndocumentedMembers(
        of value: JSONValue, _ schema: ContractSchema, at subject: String
    ) {
        var search = UndocumentedMembers(contract.description)
        for member in search.members(of: value, at: schema.node).prefix(Self.maximumViolations) {
            let nearest = Spelling.nearest(to: member.name, among: member.documented)
            add(
                .responseBody, at: "\(subject) \(member.path.shorthand)",
                "the member \"\(member.name)\" is not documented",
                suggestion: nearest.map { "did you mean \"\($0)\"?" }, location: schema.node, path: member.path)
        }
    }

    /// Validates the possible values of a string against a schema. One valid value is sufficient.
    mutating func check(
        anyOf values: [JSONValue], _ schema: ContractSchema, _ rule: ContractRule, at subject: String,
        parameter: Parameter? = nil
    ) {
        guard settings.checks(rule), let compiled = usable(schema), let first = values.first else { return }
        if values.contains(where: { compiled.isValid($0) }) { return }
        report(compiled.violations(of: first), schema, rule, at: subject, parameter: parameter)
    }

    private mutating func report(
        _ violations: [JSONSchemaViolation], _ schema: ContractSchema, _ rule: ContractRule, at subject: String,
        parameter: Parameter? = nil
    ) {
        report(violations.map { (nil, $0) }, schema, rule, at: subject, parameter: parameter)
    }

    /// Adds violations. Violations of one keyword in several elements or items are combined.
    mutating func report(
        _ violations: [(item: Int?, violation: JSONSchemaViolation)], _ schema: ContractSchema, _ rule: ContractRule,
        at subject: String, parameter: Parameter? = nil
    ) {
        let groups = JSONSchemaViolationGroup.groups(of: violations)
        let isBody = rule == .responseBody || rule == .requestBody
        for (index, group) in groups.prefix(Self.maximumViolations).enumerated() {
            guard let first = group.first.first else { continue }
            let isLast = index == Self.maximumViolations - 1 && groups.count > Self.maximumViolations
            let isSingle = group.count == 1
            let general = first.location == first.violation.instancePath.shorthand ? group.path : "* \(group.path)"
            let path = isSingle ? first.location : general
            // If the violations reached the limit, any group may have more of them.
            let isCut = violations.count >= Self.countedViolations
            add(
                rule, at: path == "$" && !isBody ? subject : "\(subject) \(path)",
                group.message(isCut: isCut),
                suggestion: isLast ? "\(groups.count - Self.maximumViolations) more differences are not shown" : nil,
                location: schema.location(of: first.violation), isError: first.violation.kind == .limit ? false : nil,
                expected: first.violation.expected, actual: first.violation.actual,
                instances: group.lines(isCut: isCut), path: first.violation.instancePath, parameter: parameter)
        }
    }

    /// Returns the compiled schema, or reports that it cannot be used and returns `nil`.
    mutating func usable(_ schema: ContractSchema) -> JSONSchema? {
        switch schema.schema(isPartial: exchange.isExpectation && schema.direction == .response) {
        case .schema(let compiled): return compiled
        case .unusable(let message, let location):
            add(.unusableSchema, at: "schema", "invalid schema: \(message)", location: location)
            return nil
        }
    }
}
