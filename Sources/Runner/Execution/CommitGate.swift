import NIOCore
import Synchronization

/// Where the workers of an event loop wait after a test until it is in the record: the tests that end in one turn of the
/// loop are written together, and only then is anything sent that could tell that they are done.
final class CommitGate: Sendable {
    private let eventLoop: any EventLoop
    private let commit: @Sendable () -> Void
    private let waiting = Mutex<[UnsafeContinuation<Void, Never>]>([])

    init(_ eventLoop: any EventLoop, commit: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.commit = commit
    }

    /// Waits until all tests that have ended are written, after whatever the loop has to do before.
    nonisolated(nonsending) func pass() async {
        await withUnsafeContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append(continuation)
                return waiting.count == 1
            }
            if isFirst { eventLoop.execute { self.open() } }
        }
    }

    private func open() {
        let passing = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        commit()
        for continuation in passing { continuation.resume() }
    }
}
