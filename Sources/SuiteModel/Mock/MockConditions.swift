/// What a route's `when` asks of a request; every condition must hold.
public struct MockConditions: Sendable {
    /// Query parameters: one value of that name must match.
    public var query: [ExpectationSet.Named]
    /// Header fields: one field of that name must match.
    public var headers: [ExpectationSet.Named]
    /// Cookies that the request sends.
    public var cookies: [ExpectationSet.Named]
    /// Fields of a form that the body is.
    public var form: [ExpectationSet.Named]
    /// Values that JSONPaths select in a JSON body.
    public var json: [ExpectationSet.JSON]
    /// The whole body: a JSON body's value, otherwise its text.
    public var body: Matcher?

    /// Creates conditions.
    public init(
        query: [ExpectationSet.Named] = [], headers: [ExpectationSet.Named] = [],
        cookies: [ExpectationSet.Named] = [], form: [ExpectationSet.Named] = [], json: [ExpectationSet.JSON] = [],
        body: Matcher? = nil
    ) {
        self.query = query
        self.headers = headers
        self.cookies = cookies
        self.form = form
        self.json = json
        self.body = body
    }

    /// True when nothing is asked.
    public var isEmpty: Bool {
        query.isEmpty && headers.isEmpty && cookies.isEmpty && form.isEmpty && json.isEmpty && body == nil
    }
}
