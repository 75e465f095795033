import Basics
import SuiteModel

/// What `defaults` gives every step, with the names that each part uses.
struct SuiteDefaults {
    /// Defaults with a name, of which a step may replace or remove each.
    struct Named<Item> {
        /// The defaults.
        var items: [Item] = []
        /// For each, the names that its expressions use, as a range of ``LoadContext/uses``.
        var uses: [Range<Int>] = []
    }

    /// Headers of every request.
    var headers = Named<RequestSpec.Header>()
    /// Query parameters of every request.
    var query = Named<RequestSpec.Parameter>()
    /// Cookies of every request.
    var cookies = Named<RequestSpec.Parameter>()
    /// How nested query values are spelled.
    var queryStyle = RequestSpec.QueryStyle.brackets
    /// Time limits.
    var timeout = RequestSpec.Timeout()
    /// How many redirects are followed.
    var maximumRedirects = 10
    /// The most bytes that a body may have.
    var maximumBodySize: Int64?
    /// What few requests have.
    @Indirect var extras: RequestExtras?
    /// For each key of ``extras`` with expressions, the names that these use, as a range of ``LoadContext/uses``.
    var extraUses: [(key: RequestKey, uses: Range<Int>)] = []
    /// How often a test is tried again.
    @Indirect var retry: RetryRule?
    /// Expectations of every exchange.
    var expectations = ExpectationSet()
    /// For each key of `expect`, by its position, the names that its expressions use.
    var expectationUses = [Range<Int>](repeating: 0..<0, count: ExpectKey.schema.keys.count)
    /// Whether any default holds an expression, so that steps must note which they keep.
    var hasUses = false
}
