import Diagnostics
import SuiteModel

/// What the lines of tests say that stand at one place, such as the rows of one: their tags and annotations, and where it is.
///
/// Behind a reference, as it is looked at for each line.
final class RecordPlace: Sendable {
    private let tags: [String]
    private let annotations: Annotations?
    private let kind: SuiteTest.Kind
    private let hasSteps: Bool
    private let file: SourceFile
    private let start: SourcePosition
    /// The members, with a comma before each.
    let members: [UInt8]

    init(_ test: TestReference, members: [UInt8]) {
        tags = test.tags
        annotations = test.annotations
        kind = test.kind
        hasSteps = test.hasSteps
        file = test.range.file
        start = test.range.start
        self.members = members
    }

    /// Whether the same is said of a test.
    func isOf(_ test: TestReference) -> Bool {
        file === test.range.file && start == test.range.start && hasSteps == test.hasSteps && tags == test.tags
            && annotations === test.annotations && kind == test.kind
    }
}
