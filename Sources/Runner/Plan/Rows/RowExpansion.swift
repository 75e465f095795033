import Diagnostics
import SuiteModel

/// A test as its rows, or as the one that it is without any: what each is called and which are selected.
struct RowExpansion {
    /// The names, one for each row.
    let names: [String]
    /// Which rows are selected.
    let isSelected: [Bool]
    /// Whether any row is selected.
    let isAnySelected: Bool

    /// Expands a test.
    ///
    /// - Parameter isLimited: Whether only tests that say so are to run.
    init(
        _ test: SuiteTest, of suite: Suite, selection: TestSelection, isLimited: Bool, names: inout UniqueNames
    ) {
        guard let data = test.data?.value else {
            // Setup and teardown are wanted for themselves only by their place.
            let mayRun = test.kind == .test ? test.isOnly || !isLimited : !selection.takesEverything
            let isSelected = mayRun && selection.includes(test, of: suite)
            self.names = [names.name(test.name)]
            self.isSelected = [isSelected]
            isAnySelected = isSelected
            return
        }
        let expanded = (0..<data.count).map { row in
            names.name(data.names.indices.contains(row) ? data.names[row] : test.name)
        }
        self.names = expanded
        guard test.isOnly || !isLimited else {
            isSelected = Array(repeating: false, count: data.count)
            isAnySelected = false
            return
        }
        guard !selection.takesEverything else {
            isSelected = Array(repeating: true, count: data.count)
            isAnySelected = data.count > 0
            return
        }
        let lines = Self.rowLines(selection, of: test, in: suite)
        isSelected = (0..<data.count).map { row in
            selection.includes(test, of: suite, rowName: expanded[row])
                && (lines.isEmpty || Self.contains(data.range(ofRow: row, in: suite.file), anyOf: lines))
        }
        isAnySelected = isSelected.contains(true)
    }

    /// The lines of places that all lie in rows of the test; none when one means the whole test.
    private static func rowLines(_ selection: TestSelection, of test: SuiteTest, in suite: Suite) -> [Int32] {
        let lines = selection.places.filter { $0.path == suite.path && test.lines.contains($0.line) }.map(\.line)
        guard !lines.isEmpty, let data = test.data?.value else { return [] }
        let rows = data.sources.flatMap { source -> [SourceRange] in
            guard case .table(let table) = source else { return [] }
            return table.ranges.filter { $0.file == suite.file }
        }
        let areInRows = lines.allSatisfy { line in
            rows.contains { ($0.start.line...max($0.start.line, $0.end.line)).contains(line) }
        }
        return areInRows ? lines : []
    }

    private static func contains(_ range: SourceRange?, anyOf lines: [Int32]) -> Bool {
        guard let range else { return false }
        return lines.contains { (range.start.line...max(range.start.line, range.end.line)).contains($0) }
    }
}
