import Testing

/// A description with an error, and the expected diagnostics.
struct Mistake: CustomTestStringConvertible {
    /// The name of the error.
    let name: String
    /// The description, in the file `openapi.yaml`.
    let text: String
    /// The line, column, severity, message, suggestion and ID of each diagnostic.
    let problems: [String]

    init(_ name: String, _ text: String, _ problems: [String]) {
        self.name = name
        self.text = text
        self.problems = problems
    }

    var testDescription: String { name }
}
