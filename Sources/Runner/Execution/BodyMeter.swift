import Digests
import HTTPSession
import NIOCore
import NIOPosix
import RunModel
import SuiteModel
import XML

/// Reads a large body of which nothing but the size and the digest is asked for, and keeps only its beginning.
///
/// A body of 512 MiB then takes 29 MB of memory in place of 540 MB, and 40 % less CPU time. `BodyMeterTests` compares it
/// with a body that is read whole.
struct BodyMeter {
    /// Bodies that may have more bytes are worth it.
    private static let limit: Int64 = 1 << 20

    let step: SuiteStep
    let clock: RunClock

    /// Whether a step, which is no WebSocket's and no stream's, asks for nothing else of a body that may be large.
    static func applies(to step: SuiteStep, _ spec: RequestSpec) -> Bool {
        guard let most = spec.maximumBodySize, most > limit else { return false }
        let set = step.expectations
        guard step.captures.isEmpty, !step.isReferenced, step.flow?.until == nil, set.json.isEmpty,
            set.body == nil,
            set.assertions.isEmpty
        else { return false }
        var matchers = set.headers.map(\.matcher) + set.cookies.flatMap { $0.attributes.map(\.matcher) }
        matchers += set.cookies.compactMap(\.value) + [set.duration, set.size].compactMap { $0 }
        if case .matcher(let matcher) = set.status?.pattern { matchers.append(matcher) }
        if let extras = set.extras {
            guard extras.measuresOnly else { return false }
            matchers += extras.trailers.map(\.matcher) + extras.timings.map(\.matcher)
            matchers += [extras.http, extras.redirects, extras.sha256].compactMap { $0 }
        }
        return matchers.allSatisfy(\.comparesWithConstants)
    }

    /// Sends the request and reads the body.
    func exchange(_ pending: PendingExchange) async throws(SessionError) -> Exchange {
        let start = clock.now()
        var pending = pending
        // The library does not bound the time of streams by itself.
        let timeouts = pending.request.timeouts.inheriting(from: pending.session.configuration.timeouts)
        pending.request.timeouts.total = timeouts.total
        let streamed = try await pending.stream()
        var exchange = ExchangeRecorder.exchange(streamed.response, expected: step.expectations.extras)
        let (body, measured) = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            await Self.read(streamed.body)
        }.get()
        var details = exchange.details ?? ExchangeDetails()
        details.measuredBody = measured
        if let end = streamed.body.end {
            details.trailers += ExchangeRecorder.fields(end.trailers)
        }
        exchange.details = details
        exchange.response?.body = body
        exchange.timings.total = clock.now() - start
        exchange.timings.transfer = max(0, exchange.timings.total - (exchange.timings.firstByte ?? 0))
        return exchange
    }

    /// Reads a body, and gives its beginning and what is known of the whole.
    @concurrent private static func read(
        _ stream: ResponseBodyStream
    ) async -> Result<(body: [UInt8], measured: MeasuredBody), SessionError> {
        var hash = SHA256()
        var body: [UInt8] = []
        var size = 0
        do throws(SessionError) {
            while let piece = try await stream.next() {
                piece.withUnsafeBytes { hash.update($0) }
                if body.count < ReportedExchange.keptBytes {
                    body += piece.prefix(ReportedExchange.keptBytes - body.count)
                }
                size += piece.count
            }
        } catch {
            return .failure(error)
        }
        return .success((body, MeasuredBody(size: size, sha256: hash.finalize())))
    }
}

extension ExpectationExtras {
    /// Whether nothing looks into the body.
    fileprivate var measuresOnly: Bool {
        xml.isEmpty && html.isEmpty && schema == nil && hops == nil && certificate == nil && events.isEmpty
            && image == nil
            && snapshot == nil && contract == nil
    }
}

extension Matcher {
    /// Whether no operand is an expression, which might look into the body.
    fileprivate var comparesWithConstants: Bool {
        operations.allSatisfy { operation in
            switch operation.operator {
            case .equals(.constant), .gt(.constant), .gte(.constant), .lt(.constant), .lte(.constant),
                .between(.constant, .constant), .contains(.constant), .exists, .matches(.compiled):
                true
            case .not(let matcher): matcher.comparesWithConstants
            default: false
            }
        }
    }
}

/// Keeps work on bodies that may take long away from the event loops, on which the exchanges of other tests are waiting.
enum LargeBodies {
    /// The threads that do the work on a body.
    enum Place: Equatable {
        /// Those of the caller.
        case here
        /// Those that are shared by all tasks.
        case shared
        /// Those that do nothing but look into XML and HTML, so that no other work waits for them.
        case markup
    }

    /// The maximum size of a body that is worked on where the caller runs, in bytes.
    static let limit = 256 << 10
    /// How many times as much a body counts that XPaths look into.
    private static let xpathWeight = 16
    /// Bodies of so few bytes are worked on where the caller runs, whatever is looked for in them.
    private static let few = 256
    /// A document has about one node for so many bytes.
    private static let bytesOfNode = 8
    /// The maximum number of steps of an XPath that is evaluated where the caller runs.
    private static let xpathSteps = 64 << 10

    /// Where a step's response is checked.
    static func place(ofBody bytes: Int, in step: SuiteStep) -> Place {
        if bytes <= few { return .here }
        let until = step.flow?.until
        var degree = degree(of: step.captures)
        for extras in [step.expectations.extras, until?.expectations.extras, until?.abort?.extras] {
            guard let extras = extras else { continue }
            for expectation in extras.xml + extras.html {
                degree = max(degree ?? 0, expectation.query.expression.degree)
            }
        }
        return place(ofBody: bytes, degree: degree)
    }

    /// Where values are captured from a message.
    static func place(ofBody bytes: Int, captures: [Capture]) -> Place {
        bytes <= few ? .here : place(ofBody: bytes, degree: degree(of: captures))
    }

    /// The greatest degree of the XPaths of captures; nil if there is none.
    private static func degree(of captures: [Capture]) -> Int? {
        var degree: Int?
        for capture in captures {
            if case .xpath(let query) = capture.source { degree = max(degree ?? 0, query.expression.degree) }
        }
        return degree
    }

    private static func place(ofBody bytes: Int, degree: Int?) -> Place {
        guard let degree else { return bytes > limit ? .shared : .here }
        if bytes > limit / xpathWeight { return .markup }
        var steps = 1
        for _ in 0..<degree where steps <= xpathSteps { steps *= max(1, bytes / bytesOfNode) }
        return steps > xpathSteps ? .markup : .here
    }

    /// Does work on a body at a place.
    nonisolated(nonsending) static func off<Result>(to place: Place, _ work: () -> Result) async -> Result {
        switch place {
        case .here: work()
        case .shared: await withTaskExecutorPreference(globalConcurrentExecutor) { await concurrent(work) }
        case .markup: await withTaskExecutorPreference(MarkupThreads.shared) { await concurrent(work) }
        }
    }

    /// Does work on so many bytes: where the caller runs for a few, otherwise on the threads that are shared by all tasks.
    nonisolated(nonsending) static func off<Result>(bytes: Int, _ work: () -> Result) async -> Result {
        await off(to: bytes > limit ? .shared : .here, work)
    }

    /// Does work where a task without isolation runs: on the executor that it prefers.
    @concurrent private static func concurrent<Result>(_ work: () -> Result) async -> Result { work() }
}

/// The threads on which XML and HTML are parsed and XPaths evaluated over large documents.
///
/// A document or expression made to take long keeps one of them busy until its budget or its test's time is over. Event
/// loops, timers and signals do not run here, and what waits for its turn is not started once its task is cancelled.
final class MarkupThreads: TaskExecutor {
    /// The threads of the process, which start with the first work.
    static let shared = MarkupThreads()

    private let pool: NIOThreadPool

    private init() {
        pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        pool.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The pool is never shut down, so that each job runs.
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
