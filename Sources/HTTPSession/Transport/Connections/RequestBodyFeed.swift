import NIOCore
import Synchronization

/// A channel for a streamed request body, from the task that reads it to the event loop, one piece at a time.
///
/// The task reads nothing before the event loop requests it, so a slow network slows down the source.
final class RequestBodyFeed: Sendable {
    private struct Demand: Sendable {
        var receiver: NIOLoopBound<RequestBodyWriter>
        /// Whether the body is read from its start.
        var opens: Bool
    }

    private struct State {
        var demand: Demand?
        var waiter: UnsafeContinuation<Demand?, Never>?
        /// The continuation that waits for the end of the current pass.
        var passEnd: UnsafeContinuation<Void, Never>?
        var isInPass = false
        var isUntouched = true
        var isStopped = false

        /// Whether a read from the start of the body was requested during the current pass.
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

    /// Whether the body can be sent from its start, for the first time or again.
    var canBegin: Bool { source.isReplayable || state.withLock { $0.isUntouched } }

    /// Requests the next piece.
    /// - Parameters:
    ///   - receiver: The writer that receives the piece.
    ///   - opens: Whether the body is read from its start.
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

    /// Stops requesting pieces.
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

    /// Reads the body on demand until ``stop()``; a pass that is replaced by another is cancelled.
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
    /// Pieces that arrive after a cancellation are dropped: many sources then end as if they were complete.
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

    /// Returns the next nonempty piece.
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

/// The destination of a request body's pieces: an exchange on a connection. Used on its event loop only.
protocol RequestBodySink: AnyObject {
    /// The allocator of buffers for pieces.
    var allocator: ByteBufferAllocator { get }

    /// Writes and flushes a piece; the promise succeeds when it has been handed to the network.
    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>)

    /// Ends the body, with its last bytes if the framing needs some.
    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange)
}
