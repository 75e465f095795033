import Diagnostics

/// Where a sequence of steps is among calls that are nested in one another.
struct CallFrame {
    /// What stands before the names of the steps in reports: the calls, as in `login › `.
    var prefix = ""
    /// The calls as they are written, whichever element of a loop they are made for.
    var path = ""
    /// Whether one of the calls is made once for all tests of the run.
    var isShared = false
    /// The folder against which relative paths resolve; nil for the suite's.
    var folder: String?
    /// The number of the test's attempt, from 1.
    var attempt = 1
}
