import HTTPSession
import Synchronization
import Testing

@Suite("Response body streams")
struct ResponseBodyStreamTests {
    @Test("A paused stream stays paused until the reader catches up, even if more data arrives")
    func pause() async throws {
        let demands = Mutex(0)
        let stream = ResponseBodyStream(onDemand: { demands.withLock { $0 += 1 } }, onAbandon: {})
        let piece = [UInt8](repeating: 1, count: 64 << 10)
        #expect(stream.yield(piece))
        #expect(stream.yield(piece))
        #expect(stream.yield(piece))
        #expect(!stream.yield(piece))
        _ = try await stream.next()
        #expect(demands.withLock { $0 } == 0)
        // It was in transit when the producer was paused.
        #expect(!stream.yield([2]))
        var count = 0
        while demands.withLock({ $0 }) == 0, count < 4 {
            _ = try await stream.next()
            count += 1
        }
        #expect(demands.withLock { $0 } == 1)
        #expect(stream.yield([3]))
        stream.finish(.success(.init()))
        let rest = try await stream.collect()
        #expect(rest.last == 3)
    }
}
