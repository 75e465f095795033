/// Adds `traceparent` and `tracestate` (W3C Trace Context) to requests.
///
/// The trace is that of ``TraceContext/current``, or a new one for each request. All attempts and hops of a request are of
/// one trace, each with a span of its own; redirects to another origin get no fields anew. A request that has a
/// `traceparent` of its own keeps it. Identifiers come from ``SessionConfiguration/random``.
public final class TraceContextAdapter: RequestAdapter {
    /// Whether traces that begin here are recorded.
    public let isSampled: Bool
    /// The context of requests; nil begins a trace.
    private let context: @Sendable () -> TraceContext?
    /// Told of each span that is sent.
    private let onSpan: (@Sendable (TraceContext, RequestID) -> Void)?

    /// Creates an adapter.
    /// - Parameters:
    ///   - isSampled: Whether traces that begin here are recorded.
    ///   - context: Gives the context that a request is within; nil begins a trace.
    ///   - onSpan: Called with the span of each attempt and hop, to tie it to a tracing system's own.
    public init(
        isSampled: Bool = true, context: @escaping @Sendable () -> TraceContext? = { TraceContext.current },
        onSpan: (@Sendable (_ span: TraceContext, _ request: RequestID) -> Void)? = nil
    ) {
        self.isSampled = isSampled
        self.context = context
        self.onSpan = onSpan
    }

    /// Adds the fields.
    public func adapt(_ request: Request, context attempt: AttemptContext) async throws -> Request {
        let random = attempt.session.configuration.random
        let remembered = attempt.memory.note(of: self).trace
        if remembered == nil, request.headers.contains("traceparent") { return request }
        let span: TraceContext
        if let trace = remembered ?? context() {
            span = trace.child(random: random)
        } else {
            span = .root(random: random, isSampled: isSampled)
        }
        if remembered == nil { attempt.memory.change(self) { $0.trace = span } }
        var request = request
        request.headers.set(name: "traceparent", value: span.traceparent)
        if let state = span.state, !state.isEmpty { request.headers.set(name: "tracestate", value: state) }
        onSpan?(span, attempt.id)
        return request
    }
}

extension RequestAdapter where Self == TraceContextAdapter {
    /// Adds the trace of the task, or a new one, to each request.
    public static var traceContext: TraceContextAdapter { TraceContextAdapter() }
}
