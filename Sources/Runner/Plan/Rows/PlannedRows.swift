import Diagnostics
import SuiteModel

/// All rows of a test as tests of a plan: what they have in common, and what each has of its own.
final class PlannedRows: Sendable {
    /// The entry of the first row.
    let first: TestPlan.Entry
    /// What each row is called.
    let names: RowNames
    /// The number of rows.
    let count: Int
    /// The rows, where they have places of their own in the suite.
    private let places: TestData?
    private let file: SourceFile

    /// Plans the rows of a test, of which `first` is the first one.
    init(_ data: TestData, first: TestPlan.Entry, names: RowNames, file: SourceFile) {
        self.first = first
        self.names = names
        self.file = file
        count = data.count
        places = data.hasPlaces ? data : nil
    }

    /// A row as a test of the plan.
    ///
    /// - Parameter edges: What must be done before it.
    func entry(at row: Int, edges: [TestPlan.Edge]) -> TestPlan.Entry {
        var entry = first
        entry.row = row
        entry.edges = edges
        entry.reference.position += row
        entry.reference.ordinal += row
        entry.reference.name = names[row]
        if let range = places?.range(ofRow: row, in: file) { entry.reference.range = range }
        return entry
    }
}
