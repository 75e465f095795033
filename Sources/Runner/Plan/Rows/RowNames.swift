import SuiteModel

/// What the rows of a test are called, each differently from every other test of the suite.
enum RowNames: Sendable {
    /// The name of the test, to which ` [2]`, ` [3]`, … is added from the second row on.
    case numbered(String)
    /// A name for each row.
    case list(NameList)

    subscript(row: Int) -> String {
        switch self {
        case .numbered(let name): row == 0 ? name : "\(name) [\(row + 1)]"
        case .list(let names): names[row]
        }
    }
}
