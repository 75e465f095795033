import Diagnostics

/// Where a sequence of steps is among calls that are nested in one another.
struct CallFrame {
    /// What stands before the names of the steps in reports: the calls, as in `login › `.
    var prefix = ""
    /// The folder against which relative paths resolve; nil for the suite's.
    var folder: String?
    /// The number of the test's attempt, from 1.
    var attempt = 1
}
