import Basics
import SuiteModel

/// The values of `defaults`, with the names that each of them uses.
struct SuiteDefaults {
    /// Named defaults that a step can replace or remove individually.
    struct Named<Item: RequestItem> {
        /// The defaults.
        var items = RequestItems<Item>()
        /// The names that each default uses, as ranges of ``LoadContext/uses``.
        var uses: [Range<Int>] = []

        /// Adds defaults, which replace those of the same names.
        ///
        /// - Parameters:
        ///   - removed: Items without values, whose names have no default any more.
        ///   - ownUses: The names that each of the new defaults uses.
        mutating func add(_ own: RequestItems<Item>, removing removed: RequestItems<Item>, uses ownUses: [Range<Int>]) {
            defer { uses += ownUses }
            guard !items.isEmpty else { return items = own }
            let replacing = own.adding(removed)
            guard items.isKnown, replacing.isKnown else {
                return items = RequestItems(whole: replacing.merged(over: items))
            }
            let previous = items.items
            let kept = previous.indices.filter { index in
                !replacing.items.contains { $0.hasName(of: previous[index]) }
            }
            uses = kept.map { uses[$0] }
            items = RequestItems(kept.map { previous[$0] } + own.items)
        }
    }

    /// The headers of every request.
    var headers = Named<RequestSpec.Header>()
    /// The query parameters of every request.
    var query = Named<RequestSpec.Parameter>()
    /// The cookies of every request.
    var cookies = Named<RequestSpec.Parameter>()
    /// The encoding of nested query values.
    var queryStyle = RequestSpec.QueryStyle.brackets
    /// Time limits.
    var timeout = RequestSpec.Timeout()
    /// The maximum number of redirects.
    var maximumRedirects = 10
    /// The maximum size of a body in bytes.
    var maximumBodySize: Templated<Int64>?
    /// Settings that few requests have.
    @Indirect var extras: RequestExtras?
    /// The names that each key of ``extras``, ``timeout`` and ``maximumBodySize`` use, as ranges of
    /// ``LoadContext/uses``.
    var extraUses: [(key: RequestKey, uses: Range<Int>)] = []
    /// The retry rule of tests.
    @Indirect var retry: Templated<RetryRule>?
    /// The names that ``retry`` uses, as a range of ``LoadContext/uses``.
    var retryUses = 0..<0
    /// The cookie jar of tests.
    var cookieJar = SuiteTest.CookieJarMode.new
    /// The expectations of every exchange.
    var expectations = ExpectationSet()
    /// The names that each key of `expect` uses, by the position of the key.
    var expectationUses = [Range<Int>](repeating: 0..<0, count: ExpectKey.schema.keys.count)
    /// Whether any default contains an expression, so that steps must record which defaults they retain.
    var hasUses = false
}
