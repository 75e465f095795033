import Digests
import HTTPSession
import NIOCore
import NIOPosix
import RunModel
import SuiteModel
import XML

/// A reader that measures the size and digest of a large body while it streams, and keeps only its beginning.
struct BodyMeter {
    /// The smallest maximum body size for which streaming pays off, in bytes.
    private static let limit: Int64 = 1 << 20

    let step: SuiteStep
    let clock: RunClock

    /// Returns whether a step needs only the size and digest of a body that may be large.
    ///
    /// The step must not use a WebSocket or an event stream.
    ///
    /// - Parameter maximum: The maximum size of the body, in bytes.
    static func applies(to step: SuiteStep, maximum: Int64) -> Bool {
        guard maximum > limit else { return false }
        let set = step.expectations
        guard step.captures.isEmpty, !step.isReferenced, step.flow?.until == nil, set.json.isEmpty,
            set.body == nil,
            set.assertions.isEmpty
        else { return false }
        // An expression for a name could read the body.
        guard set.headers.allSatisfy({ $0.name.known != nil }), set.cookies.allSatisfy({ $0.name.known != nil }) else {
            return false
        }
        var matchers = set.headers.map(\.matcher) + set.cookies.flatMap { $0.attributes.map(\.matcher) }
        matchers += set.cookies.compactMap(\.value) + [set.duration, set.size].compactMap { $0 }
        if case .matcher(let matcher) = set.status?.pattern { matchers.append(matcher) }
        if let extras = set.extras {
            guard extras.measuresOnly, extras.trailers.allSatisfy({ $0.name.known != nil }) else { return false }
            matchers += extras.trailers.map(\.matcher) + extras.timings.map(\.matcher)
            matchers += [extras.http, extras.redirects, extras.sha256].compactMap { $0 }
        }
        return matchers.allSatisfy(\.comparesWithConstants)
    }

    /// Sends the request and reads the body.
    func exchange(_ pending: PendingExchange) async throws(SessionError) -> Exchange {
        let start = clock.now()
        let streamed = try await limited(pending).stream()
        let (body, measured) = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            await Self.read(streamed.body)
        }.get()
        return exchange(of: streamed, body, measured, since: start)
    }

    // As in `TestRunner.conduct`, the work around the wait is in functions that are not asynchronous.

    /// Returns the request with a limit on the total time, because the library does not limit that of streams by itself.
    @inline(never)
    private func limited(_ pending: PendingExchange) -> PendingExchange {
        var pending = pending
        let timeouts = pending.request.timeouts.inheriting(from: pending.session.configuration.timeouts)
        pending.request.timeouts.total = timeouts.total
        return pending
    }

    /// Returns the record of an exchange whose body has been read.
    @inline(never)
    private func exchange(
        of streamed: StreamedResponse, _ body: [UInt8], _ measured: MeasuredBody, since start: Int64
    ) -> Exchange {
        var exchange = ExchangeRecorder.exchange(streamed.response, expected: step.expectations.extras)
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

    /// Reads a body and returns its beginning and the measurements of the whole.
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
    /// Whether no expectation examines the contents of the body.
    fileprivate var measuresOnly: Bool {
        xml.isEmpty && html.isEmpty && schema == nil && text == nil && hops == nil && certificate == nil
            && events.isEmpty
            && image == nil
            && text == nil && snapshot == nil && contract == nil
    }
}

extension Matcher {
    /// Whether no operand is an expression, which could read the body.
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

/// The choice of threads for work on bodies, to keep long work away from the event loops that serve other tests.
enum LargeBodies {
    /// The threads that do the work on a body.
    enum Location: Equatable {
        /// The threads of the caller.
        case here
        /// The threads shared by all tasks.
        case shared
        /// The threads reserved for XML and HTML, where no other work waits.
        case markup
    }

    /// The maximum size of a body that is processed on the caller's threads, in bytes.
    static let limit = 256 << 10
    /// The factor by which a body counts as larger when XPath expressions are evaluated on it.
    private static let xpathWeight = 16
    /// The size up to which a body is always processed on the caller's threads, in bytes.
    private static let few = 256
    /// The estimated number of bytes per node of a document.
    private static let bytesOfNode = 8
    /// The maximum number of steps of an XPath expression that is evaluated on the caller's threads.
    private static let xpathSteps = 64 << 10

    /// Returns the threads on which a step's response is checked.
    static func location(ofBody bytes: Int, in step: SuiteStep) -> Location {
        if bytes <= few { return .here }
        let until = step.flow?.until
        var degree = degree(of: step.captures)
        for extras in [step.expectations.extras, until?.expectations.extras, until?.abort?.extras] {
            guard let extras = extras else { continue }
            for expectation in extras.xml + extras.html {
                degree = max(degree ?? 0, expectation.query.expression.degree)
            }
        }
        return location(ofBody: bytes, degree: degree)
    }

    /// Returns the threads on which values are captured from a message.
    static func location(ofBody bytes: Int, captures: [Capture]) -> Location {
        bytes <= few ? .here : location(ofBody: bytes, degree: degree(of: captures))
    }

    /// Returns the maximum degree of the captures' XPath expressions, or nil if there are none.
    private static func degree(of captures: [Capture]) -> Int? {
        var degree: Int?
        for capture in captures {
            if case .xpath(let query) = capture.source { degree = max(degree ?? 0, query.expression.degree) }
        }
        return degree
    }

    private static func location(ofBody bytes: Int, degree: Int?) -> Location {
        guard let degree else { return bytes > limit ? .shared : .here }
        if bytes > limit / xpathWeight { return .markup }
        var steps = 1
        for _ in 0..<degree where steps <= xpathSteps { steps *= max(1, bytes / bytesOfNode) }
        return steps > xpathSteps ? .markup : .here
    }

    /// Does work on a body on the given threads.
    nonisolated(nonsending) static func off<Result>(to location: Location, _ work: () -> Result) async -> Result {
        switch location {
        case .here: work()
        case .shared: await withTaskExecutorPreference(globalConcurrentExecutor) { await concurrent(work) }
        case .markup: await withTaskExecutorPreference(MarkupThreads.shared) { await concurrent(work) }
        }
    }

    /// Does work on the given number of bytes: on the caller's threads if it is small, otherwise on the shared threads.
    nonisolated(nonsending) static func off<Result>(bytes: Int, _ work: () -> Result) async -> Result {
        await off(to: bytes > limit ? .shared : .here, work)
    }

    /// Does work on the executor that a nonisolated task prefers.
    @concurrent private static func concurrent<Result>(_ work: () -> Result) async -> Result { work() }
}

/// The threads that parse large XML and HTML documents and evaluate XPath expressions over them.
///
/// A malicious document or expression occupies one of these threads until its budget or its test's time limit is
/// exhausted. Event loops, timers and signals do not run here. Queued work does not start once its task is cancelled.
final class MarkupThreads: TaskExecutor {
    /// The threads of the process, started on first use.
    static let shared = MarkupThreads()

    private let pool: NIOThreadPool

    private init() {
        pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        pool.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The pool is never shut down, so every job runs.
        pool.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
