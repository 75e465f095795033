import Diagnostics
import SuiteModel

/// The `properties` of a case or a suite, which tools for test management read.
enum JUnitProperties {
    /// Whether a test has nothing that is written as a property.
    static func isEmpty(of test: TestReference) -> Bool {
        test.id == nil && test.tags.isEmpty && test.annotations == nil
    }

    /// Writes the properties of a case: the identifier, the tags, the annotations, and each step with how it ended.
    static func write(_ test: TestReference, steps: ArraySlice<TestResult.Step> = [], into output: inout [UInt8]) {
        output.append("      <properties>\n")
        if let id = test.id { write("id", id, indent: "        ", into: &output) }
        if !test.tags.isEmpty { write("tags", test.tags.joined(separator: ","), indent: "        ", into: &output) }
        if let annotations = test.annotations { write(annotations, indent: "        ", into: &output) }
        for step in steps {
            write("step[\(word(step.outcome))]", DisplayWidth.printable(step.name), indent: "        ", into: &output)
        }
        output.append("      </properties>\n")
    }

    /// Writes the properties of annotations.
    static func write(_ annotations: Annotations, indent: StaticString, into output: inout [UInt8]) {
        if let description = annotations.description {
            write("description", description, indent: indent, into: &output)
        }
        if let owner = annotations.owner { write("owner", owner, indent: indent, into: &output) }
        for property in annotations.properties {
            write(DisplayWidth.printable(property.name), property.value, indent: indent, into: &output)
        }
    }

    /// Writes a property.
    static func write(_ name: String, _ value: String, indent: StaticString, into output: inout [UInt8]) {
        output.append(indent)
        output.append("<property")
        XMLText.appendAttribute("name", name, to: &output, limit: JUnitCase.longestAttribute)
        XMLText.appendAttribute("value", value, to: &output, limit: JUnitCase.longestAttribute)
        output.append("/>\n")
    }

    /// How a step ended, in the words that Testmo knows.
    private static func word(_ outcome: TestResult.Outcome) -> StaticString {
        switch outcome {
        case .passed, .flaky, .known: "passed"
        case .failed: "failure"
        case .errored: "error"
        case .skipped, .blocked: "skipped"
        }
    }
}
