/// A map in a suite that is written.
///
/// Keys and values are apart, as the compiler refuses a type that holds itself through a tuple.
struct SuiteMap {
    private let keys: [String]
    private let values: [SuiteNode]

    /// Creates a map of keys with their values, in order.
    init(entries: [(String, SuiteNode)]) {
        keys = entries.map(\.0)
        values = entries.map(\.1)
    }

    /// The keys with their values, in order.
    var entries: [(String, SuiteNode)] { Array(zip(keys, values)) }
}
