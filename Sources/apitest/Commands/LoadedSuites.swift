import CEL
import Reports
import Runner
import SuiteLoader

/// What the options of a command load.
struct LoadedSuites {
    /// The suites, without an error.
    var suites: LoadResult
    /// The places that were given as PATH:LINE.
    var places: [TestSelection.Place]
    /// The variables of the command line and its files.
    var variables: [String: CELValue]
    /// Masks what of the suites is secret.
    var mask: SecretMask
}
