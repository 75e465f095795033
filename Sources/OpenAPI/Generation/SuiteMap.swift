/// A map in a suite that is written.
///
/// It is a type of its own so that a node holds itself through nominal types alone.
struct SuiteMap {
    /// The keys with their values, in order.
    var entries: [(String, SuiteNode)]
}
