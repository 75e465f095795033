/// An adapter that adds `traceparent` and `tracestate` (W3C Trace Context) to requests.
///
/// The trace is that of ``TraceContext/current``, or a new one for each request. All attempts and hops of a request
/// belong to one trace, each with its own span. After a redirect to another origin, the fields are not added. A request
/// that already has a `traceparent` field keeps it. IDs come from ``SessionConfiguration/random``.
public final class TraceContextAdapter: RequestAdapter {
    /// Whether new traces are recorded.
    public let isSampled: Bool
    /// The provider of the parent context; nil starts a new trace.
    private let context: @Sendable () -> TraceContext?
    /// A function that is called with each span.
    private let onSpan: (@Sendable (TraceContext, RequestID) -> Void)?

    /// Creates an adapter.
    /// - Parameters:
    ///   - isSampled: Whether new traces are recorded.
    ///   - context: Returns the parent context of a request; nil starts a new trace.
    ///   - onSpan: Called with the span of each attempt and hop, to link it to a span of a tracing system.
    public init(
        isSampled: Bool = true, context: @escaping @Sendable () -> TraceContext? = { TraceContext.current },
        onSpan: (@Sendable (_ span: TraceContext, _ request: RequestID) -> Void)? = nil
    ) {
        self.isSampled = isSampled
        self.context = context
        self.onSpan = onSpan
    }

    /// Adds the trace fields to the request.
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
    /// An adapter that sends requests as part of the current task's trace, or of a new trace each.
    public static var traceContext: TraceContextAdapter { TraceContextAdapter() }
}
