import Basics
import CEL
import HTTPTypes
import JSON
import SuiteModel

/// The scope of a mock file's expressions: `request`, with what was sent.
struct RequestScope: CELScope {
    private let request: MockRequest
    private let parameters: [(name: String, value: String)]

    /// Creates a scope for a request and the parameters of its path.
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

    /// The headers with their names in lower case; a field sent several times is joined (RFC 9110, section 5.3).
    private var headers: JSONValue {
        var object = JSONObject()
        for field in request.fields {
            let name = field.name.canonicalName
            if case .string(let earlier)? = object[name] {
                object[name] = .string("\(earlier), \(field.value)")
            } else {
                object[name] = .string(field.value)
            }
        }
        return .object(object)
    }

    /// Named texts as an object; a name that comes several times has the list of its values.
    private static func object(_ members: [(name: String, value: String)]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in members {
            switch object[name] {
            case .array(let earlier)?: object[name] = .array(earlier + [.string(value)])
            case let earlier?: object[name] = .array([earlier, .string(value)])
            case nil: object[name] = .string(value)
            }
        }
        return .object(object)
    }
}
