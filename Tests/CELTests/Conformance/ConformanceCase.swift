import JSON

@testable import CEL

/// A case of the conformance tests.
struct ConformanceCase {
    let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    /// Returns the error of the case, or nil if it passes.
    func problem() -> String? {
        let source = json["expr"]?.stringValue ?? ""
        let expectsError = json["expected"]?["error"] != nil
        var bindings: [String: CELValue] = [:]
        for (name, value) in json["bindings"]?.objectValue ?? [:] { bindings[name] = TypedJSON.value(value) }
        let resolution = NameResolution(
            container: json["container"]?.stringValue ?? "", hasQualifiedNames: true, allowsUnknownFunctions: true)
        let value: CELValue
        do {
            let expression = try CELExpression(source, functions: .standard, resolution: resolution)
            value = try expression.evaluate(CELVariables(bindings))
        } catch {
            return expectsError ? nil : "\(source): \(error)"
        }
        guard !expectsError else { return "\(source): no error, but \(value)" }
        guard let expected = json["expected"]?["value"].flatMap(TypedJSON.value) else { return "unreadable case" }
        return TypedJSON.areIdentical(value, expected) ? nil : "\(source): \(value) instead of \(expected)"
    }
}
