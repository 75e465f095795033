import NIOCore
import NIOPosix
import SuiteModel
import Testing
import XML

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

    @Test("A body that XPaths look into counts more")
    func weights() throws {
        let query = XPathQuery(expression: try XPathExpression("//a"))
        var step = try #require(Suites.test(0, "a").steps.first)
        let range = step.range
        #expect(LargeBodies.weight(ofBody: 1000, in: step) == 1000)
        step.captures = [Capture(name: "a", source: .status, range: range, sourceRange: range)]
        #expect(LargeBodies.weight(ofBody: 1000, in: step) == 1000)
        step.captures.append(Capture(name: "b", source: .xpath(query), range: range, sourceRange: range))
        #expect(LargeBodies.weight(ofBody: 1000, in: step) == 16_000)
        step.captures = []
        var extras = ExpectationExtras()
        extras.html = [ExpectationExtras.XPath(query: query, range: range, matcher: Matcher([], range: range))]
        step.expectations.extras = Boxed(extras)
        #expect(LargeBodies.weight(ofBody: 1000, in: step) == 16_000)
    }
}
