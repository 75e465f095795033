import NIOCore
import NIOPosix
import SuiteModel
import Testing
import XML

@testable import Runner

@Testing.Suite("Work on large bodies")
struct LargeBodiesTests {
    /// A task executor with a single event loop, like that of a worker.
    private final class LoopExecutor: TaskExecutor {
        let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test("Work on a large body leaves the event loop and returns to it, and work on a small one stays")
    func largeBodiesLeaveTheLoop() async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let locations = await Task(executorPreference: LoopExecutor(loop)) {
            var locations = [loop.inEventLoop]
            locations.append(await LargeBodies.off(to: .here) { loop.inEventLoop })
            locations.append(await LargeBodies.off(to: .shared) { loop.inEventLoop })
            locations.append(await LargeBodies.off(to: .markup) { loop.inEventLoop })
            locations.append(loop.inEventLoop)
            return locations
        }.value
        #expect(locations == [true, true, false, false, true])
    }

    @Test("XPath queries lower the size at which a body counts as large, nested ones most")
    func locations() throws {
        let simple = XPathQuery(expression: try XPathExpression("//a"))
        let nested = XPathQuery(expression: try XPathExpression("//a[//b]"))
        var step = try #require(Suites.test(0, "a").steps.first)
        let range = step.range
        #expect(LargeBodies.location(ofBody: 256 << 10, in: step) == .here)
        #expect(LargeBodies.location(ofBody: 257 << 10, in: step) == .shared)
        step.captures = [Capture(name: "a", source: .status, range: range, sourceRange: range)]
        #expect(LargeBodies.location(ofBody: 257 << 10, in: step) == .shared)
        step.captures.append(Capture(name: "b", source: .xpath(simple), range: range, sourceRange: range))
        #expect(LargeBodies.location(ofBody: 16 << 10, in: step) == .here)
        #expect(LargeBodies.location(ofBody: 17 << 10, in: step) == .markup)
        step.captures = []
        var extras = ExpectationExtras()
        extras.html = [ExpectationExtras.XPath(query: nested, range: range, matcher: Matcher([], range: range))]
        step.expectations.extras = extras
        #expect(LargeBodies.location(ofBody: 2 << 10, in: step) == .here)
        #expect(LargeBodies.location(ofBody: 3 << 10, in: step) == .markup)
    }
}
