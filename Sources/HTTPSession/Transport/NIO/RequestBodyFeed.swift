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
        var isUntouched = true
        var isStopped = false
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
        let waiter = state.withLock { state -> UnsafeContinuation<Demand?, Never>? in
            guard let waiter = state.waiter.take() else {
                state.demand = demand
                return nil
            }
            state.isUntouched = false
            return waiter
        }
        waiter?.resume(returning: demand)
    }

    /// Asks for nothing any more.
    func stop() {
        let waiter = state.withLock { state in
            state.isStopped = true
            state.demand = nil
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }

    // MARK: Task

    /// Reads the body as it is demanded, until ``stop()``.
    ///
    /// What comes after the task was cancelled is dropped: many sources then end as if they were complete.
    func run() async {
        var reader: BodySource.Reader?
        while let demand = await nextDemand() {
            let result: Result<[UInt8]?, any Error>
            do {
                let current = if let reader, !demand.opens { reader } else { try await source.open() }
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
        }
    }

    /// The next piece that has bytes.
    private func nextPiece(_ reader: BodySource.Reader) async throws -> [UInt8]? {
        while let piece = try await reader() {
            if !piece.isEmpty || Task.isCancelled { return piece }
        }
        return nil
    }

    private func nextDemand() async -> Demand? {
        await withUnsafeContinuation { waiter in
            let (isOver, demand) = state.withLock { state -> (Bool, Demand?) in
                if state.isStopped { return (true, nil) }
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
