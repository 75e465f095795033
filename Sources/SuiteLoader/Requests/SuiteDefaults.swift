import Basics
import SuiteModel

/// The values of `defaults`, with the names that each of them uses.
struct SuiteDefaults {
    /// Named defaults that a step can replace or remove individually.
    struct Named<Item> {
        /// The defaults.
        var items: [Item] = []
        /// The names that each default uses, as ranges of ``LoadContext/uses``.
        var uses: [Range<Int>] = []

        /// Removes the defaults that satisfy a predicate, and returns whether there were any.
        @discardableResult
        mutating func remove(where isReplaced: (Item) -> Bool) -> Bool {
            let count = items.count
            for index in items.indices.reversed() where isReplaced(items[index]) {
                items.remove(at: index)
                uses.remove(at: index)
            }
            return items.count < count
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
