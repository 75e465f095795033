import Synchronization

/// An observer of a session's requests.
///
/// A monitor is called synchronously: in order for each request, and concurrently for several requests. It must return
/// quickly and hand slow work to another task.
public protocol EventMonitor: Sendable {
    /// Receives an event of a request.
    func receive(_ event: SessionEvent, of request: RequestID)
}

/// A monitor that calls a closure for each event.
///
/// ```swift
/// let monitor = ClosureMonitor { event, request in print(request, event) }
/// ```
public struct ClosureMonitor: EventMonitor {
    private let body: @Sendable (SessionEvent, RequestID) -> Void

    /// Creates a monitor with a closure, which is called synchronously and must return quickly.
    public init(_ body: @escaping @Sendable (_ event: SessionEvent, _ request: RequestID) -> Void) {
        self.body = body
    }

    /// Calls the closure.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        body(event, request)
    }
}

/// A monitor that forwards events to several monitors, in order.
public struct CompositeMonitor: EventMonitor {
    /// The monitors in order.
    public let monitors: [any EventMonitor]

    /// Creates a monitor from other monitors.
    public init(_ monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// Creates a monitor from other monitors.
    public init(_ monitors: any EventMonitor...) {
        self.monitors = monitors
    }

    /// Forwards the event to each monitor.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        for monitor in monitors { monitor.receive(event, of: request) }
    }
}

/// An asynchronous sequence of a session's events, for a single reader.
///
/// ```swift
/// let events = EventStream()
/// configuration.monitors.append(events)
/// for await entry in events { print(entry.request, entry.event.name) }
/// ```
///
/// A session never waits for the reader: events beyond ``capacity`` are dropped and counted. Events of one request are
/// in order; events of different requests interleave. ``finish()`` ends the sequence; closing the session does not.
public final class EventStream: EventMonitor, AsyncSequence {
    /// An event and the ID of its request.
    public typealias Element = RequestEvent
    /// The sequence never throws.
    public typealias Failure = Never

    /// The choice of events to drop when the buffer is full.
    public enum Overflow: Sendable, Hashable {
        /// The oldest buffered events are dropped.
        case dropsOldest
        /// New events are dropped.
        case dropsNewest
    }

    /// The maximum number of buffered events.
    public let capacity: Int

    private let stream: AsyncStream<RequestEvent>
    private let continuation: AsyncStream<RequestEvent>.Continuation
    private let dropped = Atomic<Int>(0)

    /// Creates an empty stream.
    /// - Parameters:
    ///   - capacity: The maximum number of buffered events, at least 1.
    ///   - overflow: The events to drop when the buffer is full.
    public init(capacity: Int = 4096, overflow: Overflow = .dropsOldest) {
        self.capacity = Swift.max(1, capacity)
        let policy: AsyncStream<RequestEvent>.Continuation.BufferingPolicy =
            overflow == .dropsOldest ? .bufferingNewest(self.capacity) : .bufferingOldest(self.capacity)
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: policy)
    }

    deinit {
        continuation.finish()
    }

    /// The number of events dropped because the buffer was full.
    public var droppedEvents: Int { dropped.load(ordering: .relaxed) }

    /// Buffers an event for the reader.
    public func receive(_ event: SessionEvent, of request: RequestID) {
        if case .dropped = continuation.yield(RequestEvent(request: request, event: event)) {
            dropped.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// Ends the sequence after the buffered events; later events are ignored.
    public func finish() {
        continuation.finish()
    }

    /// Returns an iterator; all iterators of a stream share its single pass.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: stream.makeAsyncIterator())
    }

    /// The iterator over the events of a session.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<RequestEvent>.Iterator

        /// Returns the next event, or nil at the end and when the task is cancelled.
        public mutating func next() async -> RequestEvent? {
            await base.next()
        }

        /// Returns the next event, or nil at the end and when the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> RequestEvent? {
            await base.next(isolation: actor)
        }
    }
}
