import Basics
import CEL
import HTTPSession
import RunModel

/// The owner of a run, which its tests tell what concerns the run as a whole.
protocol RunOwner: AnyObject, Sendable {
    /// The time of the run's interruption by its clock; nil if it was not interrupted.
    var interruption: Int64? { get }

    /// Registers a value that every output must mask.
    func registerSecret(_ secret: String)

    /// Emits a warning about a suite's responses, unless it is a duplicate or the maximum number is reached.
    func warn(_ notice: RunNotice)
}

/// A test's view of the other tests: their captures, and the cookies that it shares with them.
protocol TestEnvironment: AnyObject, Sendable {
    /// Returns the captures of a finished test of the plan.
    func captures(of index: Int) -> TestCaptures?

    /// Returns the values that the rows of a finished test captured under a name, as a list in row order.
    func list(of name: String, from tests: Range<Int>) -> CELValue

    /// Returns the cookie jar of the tests with `cookieJar: keep`.
    func jar(of suite: SuiteRun) -> CookieJar

    /// Learns of a finished exchange.
    func record(_ sample: @autoclosure () -> ExchangeSample)
}

extension TestEnvironment {
    func jar(of suite: SuiteRun) -> CookieJar { suite.jar }

    func record(_ sample: @autoclosure () -> ExchangeSample) {}
}
