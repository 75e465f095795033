import Testing

/// A description with something wrong, and what is told of it.
struct Mistake: CustomTestStringConvertible {
    /// What is wrong.
    let name: String
    /// The description, in the file `openapi.yaml`.
    let text: String
    /// Line, column, severity, message, suggestion and id of each problem.
    let problems: [String]

    init(_ name: String, _ text: String, _ problems: [String]) {
        self.name = name
        self.text = text
        self.problems = problems
    }

    var testDescription: String { name }
}
