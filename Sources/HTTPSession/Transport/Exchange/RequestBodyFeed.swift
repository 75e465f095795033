import NIOCore
import Synchronization

/// Carries a body that is made while it is sent from the task that reads it to the event loop, one piece at a time.
///
/// The task asks for nothing before the event loop demands it, so a slow network slows the source down.
final class RequestBodyFeed: Sendable {
    private struct Demand: Sendable {
        var receiver: NIOLoopBound<RequestBodyWriter>
        /// Whether the body is read from its beginning.
        var opens: Bool
    }

    private struct State {
        var demand: Demand?
        var waiter: UnsafeContinuation<Demand?, Never>?
        /// Waits for the end of the pass that is under way.
        var passEnd: UnsafeContinuation<Void, Never>?
        var isInPass = false
        var isUntouched = true
        var isStopped = false

        /// Whether the body is to be read from its beginning while a pass is under way.
        var isRestarted: Bool { demand?.opens ?? false }
    }

    let source: BodySource
    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ source: BodySource, eventLoop: any EventLoop) {
        self.source = source
        self.eventLoop = eventLoop
    }

    // MARK: Event loop

    /// Whether the body can be sent from its beginning, once more or for the first time.
    var canBegin: Bool { source.isReplayable || state.withLock { $0.isUntouched } }

    /// Asks for the next piece.
    /// - Parameters:
    ///   - receiver: Who is given it.
    ///   - opens: Whether the body is to be read from its beginning.
    func demand(for receiver: RequestBodyWriter, opens: Bool) {
        let demand = Demand(receiver: NIOLoopBound(receiver, eventLoop: eventLoop), opens: opens)
        let (waiter, given, passEnd) = state.withLock {
            state -> (UnsafeContinuation<Demand?, Never>?, Demand?, UnsafeContinuation<Void, Never>?) in
            if opens, state.isInPass {
                state.demand = demand
                return (state.waiter.take(), nil, state.passEnd.take())
            }
            guard let waiter = state.waiter.take() else {
                state.demand = demand
                return (nil, nil, nil)
            }
            state.isUntouched = false
            return (waiter, demand, nil)
        }
        waiter?.resume(returning: given)
        passEnd?.resume()
    }

    /// Asks for nothing any more.
    func stop() {
        let (waiter, passEnd) = state.withLock { state in
            state.isStopped = true
            state.demand = nil
            return (state.waiter.take(), state.passEnd.take())
        }
        waiter?.resume(returning: nil)
        passEnd?.resume()
    }

    // MARK: Task

    /// Reads the body as it is demanded, until ``stop()``; a pass that is given up for another is cancelled.
    func run() async {
        while let first = await nextDemand(inPass: false) {
            state.withLock { $0.isInPass = true }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.read(first) }
                group.addTask { await self.untilPassEnds() }
                await group.next()
                group.cancelAll()
            }
            state.withLock { $0.isInPass = false }
        }
    }

    /// Makes one pass over the body.
    ///
    /// What comes after the task was cancelled is dropped: many sources then end as if they were complete.
    private func read(_ first: Demand) async {
        var reader: BodySource.Reader?
        var next: Demand? = first
        while let demand = next {
            let result: Result<[UInt8]?, any Error>
            do {
                let current = if let reader { reader } else { try await source.open() }
                reader = current
                result = .success(try await nextPiece(current))
            } catch {
                result = .failure(error)
            }
            if Task.isCancelled { return }
            let receiver = demand.receiver
            if eventLoop.inEventLoop {
                receiver.value.received(result)
            } else {
                eventLoop.execute { receiver.value.received(result) }
            }
            next = await nextDemand(inPass: true)
        }
    }

    private func untilPassEnds() async {
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if state.isStopped || state.isRestarted { return true }
                state.passEnd = waiter
                return false
            }
            if isOver { waiter.resume() }
        }
    }

    /// The next piece that has bytes.
    private func nextPiece(_ reader: BodySource.Reader) async throws -> [UInt8]? {
        while let piece = try await reader() {
            if !piece.isEmpty || Task.isCancelled { return piece }
        }
        return nil
    }

    private func nextDemand(inPass: Bool) async -> Demand? {
        await withUnsafeContinuation { waiter in
            let (isOver, demand) = state.withLock { state -> (Bool, Demand?) in
                if state.isStopped || inPass && state.isRestarted { return (true, nil) }
                if let demand = state.demand.take() {
                    state.isUntouched = false
                    return (true, demand)
                }
                state.waiter = waiter
                return (false, nil)
            }
            if isOver { waiter.resume(returning: demand) }
        }
    }
}

/// Where a ``RequestBodyWriter`` puts the pieces of a body: one exchange on a connection. Used on its event loop only.
protocol RequestBodySink: AnyObject {
    /// Makes buffers for pieces.
    var allocator: ByteBufferAllocator { get }

    /// Writes a piece and flushes it; the promise succeeds once it is handed to the network.
    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>)

    /// Ends the body, with its last bytes where the framing has some.
    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange)
}
