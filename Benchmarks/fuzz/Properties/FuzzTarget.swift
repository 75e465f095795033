import SuiteImport

/// A language whose implementation is fuzzed: its properties must hold for every input.
public enum FuzzTarget: String, Sendable, CaseIterable {
    case json = "JSON"
    case jsonSchema = "JSONSchema"
    case jsonPath = "JSONPath"
    case cel = "CEL"
    case regularExpressions = "RegularExpressions"
    case yaml = "YAML"
    case curl = "Curl"
    case har = "HAR"
    case postman = "Postman"
    case bruno = "Bruno"
    case brunoYAML = "BrunoYAML"
    case hurl = "Hurl"
    case gabbi = "Gabbi"
    case tavern = "Tavern"
    case pact = "Pact"

    /// Checks the target's properties for one input.
    ///
    /// - Throws: The first violated property.
    public func check(_ input: [UInt8]) throws(PropertyViolation) {
        switch self {
        case .json: try JSONProperties.check(input)
        case .jsonSchema: try JSONSchemaProperties.check(FuzzInput(input))
        case .jsonPath: try JSONPathProperties.check(FuzzInput(input))
        case .cel: try CELProperties.check(FuzzInput(input))
        case .regularExpressions: try RegularExpressionProperties.check(input)
        case .yaml: try YAMLProperties.check(input)
        case .curl: try ImportProperties.check(input, format: .curl)
        case .har: try ImportProperties.check(input, format: .har)
        case .postman: try ImportProperties.check(input, format: .postman)
        case .bruno: try ImportProperties.check(input, format: .bruno)
        case .brunoYAML: try ImportProperties.check(input, format: .bruno, names: ImportProperties.collection)
        case .hurl: try ImportProperties.check(input, format: .hurl)
        case .gabbi: try ImportProperties.check(input, format: .gabbi)
        case .tavern: try ImportProperties.check(input, format: .tavern)
        case .pact: try PactProperties.check(input)
        }
    }
}
