import NIOCore
import NIOPosix
import Testing

@testable import Runner

@Testing.Suite("Work on large bodies")
struct LargeBodiesTests {
    /// A task executor that is one event loop, as that of a worker.
    private final class LoopExecutor: TaskExecutor {
        let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test("Work on a large body leaves the event loop and comes back; work on a small one stays")
    func largeBodiesLeaveTheLoop() async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let places = await Task(executorPreference: LoopExecutor(loop)) {
            var places = [loop.inEventLoop]
            places.append(await LargeBodies.off(bytes: LargeBodies.limit) { loop.inEventLoop })
            places.append(await LargeBodies.off(bytes: LargeBodies.limit + 1) { loop.inEventLoop })
            places.append(loop.inEventLoop)
            return places
        }.value
        #expect(places == [true, true, false, true])
    }
}
