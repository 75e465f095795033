import Basics
import CEL
import Expectations
import HTTPTypes
import JSON
import JSONPath
import SuiteModel

/// A checker of the `when` conditions of routes against a request.
struct ConditionChecker {
    private let request: MockRequest
    private let texts: MatcherEvaluator
    private let values: MatcherEvaluator
    private let scope: RequestScope
    private let context: CELContext

    /// Creates a checker for a request. Expressions in operands are evaluated in the scope.
    init(request: MockRequest, scope: RequestScope, context: CELContext) {
        self.request = request
        self.scope = scope
        self.context = context
        texts = MatcherEvaluator(scope: scope, context: context, subjectKind: .text)
        values = MatcherEvaluator(scope: scope, context: context)
    }

    /// Returns the reason that the first failing condition fails, or `nil` if all conditions hold.
    func unmetCondition(of conditions: MockConditions) -> String? {
        if conditions.isEmpty { return nil }
        do {
            return try firstUnmet(of: conditions)
        } catch {
            return error.message.text
        }
    }

    private func firstUnmet(of conditions: MockConditions) throws(TemplateError) -> String? {
        for condition in conditions.query {
            let name = try value(condition.name)
            if let reason = unmet(request.query.values(of: name), condition) { return "query \(name): \(reason)" }
        }
        for condition in conditions.headers {
            let name = try value(condition.name)
            let fields = HTTPField.Name(name).map { request.fields[values: $0] } ?? []
            if let reason = unmet(fields, condition) { return "header \(name): \(reason)" }
        }
        for condition in conditions.cookies {
            let name = try value(condition.name)
            let cookies = request.cookies.filter { $0.name == name }.map(\.value)
            if let reason = unmet(cookies, condition) { return "cookie \(name): \(reason)" }
        }
        for condition in conditions.form {
            let name = try value(condition.name)
            if let reason = unmet(request.form.values(of: name), condition) {
                return request.isForm ? "form \(name): \(reason)" : "the body is not a form"
            }
        }
        if let reason = try unmetJSON(conditions.json) { return reason }
        if let matcher = conditions.body {
            if case .success(let value)? = request.json, request.isJSON || request.mediaType == nil {
                return values.matches(value, matcher).map { "body: \($0.message)" }
            }
            return texts.matches(.string(request.text), matcher).map { "body: \($0.message)" }
        }
        return nil
    }

    private func value<Value>(_ setting: Templated<Value>) throws(TemplateError) -> Value {
        try setting.value(in: scope, context: context)
    }

    /// By default, a single matching value is sufficient.
    private func unmet(_ given: [String], _ condition: ExpectationSet.Named) -> String? {
        guard !given.isEmpty else { return texts.matches(nil, condition.matcher)?.message }
        if let found = texts.mismatches(
            ofList: given.map { .string($0) }, condition.matcher, matchesAll: condition.matchesAll)
        {
            return found.first?.message
        }
        let reasons = given.map { texts.matches(.string($0), condition.matcher)?.message }
        if condition.matchesAll { return reasons.lazy.compactMap { $0 }.first }
        return reasons.contains { $0 == nil } ? nil : reasons[0]
    }

    private func unmetJSON(_ conditions: [ExpectationSet.JSON]) throws(TemplateError) -> String? {
        if conditions.isEmpty { return nil }
        guard case .success(let body)? = request.json else {
            return request.json == nil ? "the request has no body" : "the body is not JSON"
        }
        for condition in conditions {
            let path = try value(condition.path)
            let subject: JSONValue?
            do {
                subject = try path.subject(in: body)
            } catch {
                return "json: \(error.wording)"
            }
            var evaluator = values
            evaluator.isSelection = !path.isSingular
            if let mismatch = evaluator.matches(subject, condition.matcher) {
                return "json \(path.source): \(mismatch.wording)"
            }
        }
        return nil
    }
}

/// The scope of a mock file's expressions, which provides the variable `request`.
struct RequestScope: CELScope {
    private let request: MockRequest
    private let parameters: [(name: String, value: String)]

    /// Creates a scope for a request and its path parameters.
    init(_ request: MockRequest, parameters: [(name: String, value: String)]) {
        self.request = request
        self.parameters = parameters
    }

    func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        guard name == "request" else { return nil }
        let body: JSONValue =
            switch request.json {
            case .success(let value)?: value
            case .failure?: .string(request.text)
            case nil: .null
            }
        return CELValue(
            .object([
                "method": .string(request.method),
                "url": .string(request.target),
                "path": .string(PercentEncoding.decode(request.path)),
                "params": RequestScope.object(parameters),
                "query": RequestScope.object(request.query.parameters),
                "headers": headers,
                "cookies": RequestScope.object(request.cookies),
                "form": RequestScope.object(request.form.parameters),
                "body": body,
                "text": .string(request.text),
            ]))
    }

    /// The headers with lowercase names. Values of repeated fields are joined by commas (RFC 9110, section 5.3).
    private var headers: JSONValue {
        var object = JSONObject()
        for field in request.fields {
            let name = field.name.canonicalName
            if case .string(let previous)? = object[name] {
                object[name] = .string("\(previous), \(field.value)")
            } else {
                object[name] = .string(field.value)
            }
        }
        return .object(object)
    }

    /// Returns name-value pairs as an object. A repeated name gets an array of its values.
    private static func object(_ members: [(name: String, value: String)]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members {
            switch object[name] {
            case .array(let previous)?: object[name] = .array(previous + [.string(value)])
            case let previous?: object[name] = .array([previous, .string(value)])
            case nil: object[name] = .string(value)
            }
        }
        return .object(object)
    }
}
