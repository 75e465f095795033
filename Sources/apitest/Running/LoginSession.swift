import Basics
import CEL
import ContractTools
import Diagnostics
import Reports
import RunModel
import Runner
import Synchronization

/// The credentials of a fuzz run, which a login provides.
final class LoginSession: Sendable {
    /// The minimum time between two repetitions of the login, in nanoseconds.
    private static let interval: Int64 = 5_000_000_000

    private struct State {
        var values: [String: CELValue] = [:]
        /// The number of logins after the first one, and the time of the last of them.
        var repetitions = 0
        var last: Int64?
        /// The findings of a repetition that failed.
        var failure: [MessageText] = []
    }

    private let test: LoginTest
    private let login: FuzzLogin
    private let baseURL: String
    private let state = Mutex(State())

    /// Creates a session that has not started.
    ///
    /// - Parameter baseURL: The URL of the tested server, which relative URLs of the login resolve against.
    init(_ test: LoginTest, _ login: FuzzLogin, baseURL: String) {
        self.test = test
        self.login = login
        self.baseURL = baseURL
    }

    /// The current values of the outputs.
    var values: [String: CELValue] { state.withLock { $0.values } }

    /// Logs in for the first time.
    ///
    /// - Returns: The results of the login and of the tests that it depends on if one of them did not pass; otherwise
    ///   `nil`.
    /// - Throws: ``ExitStatus/failed`` if an output has no value. The error is printed.
    func start(_ runner: CaseRunner) async throws -> [TestResult]? {
        if let results = await logIn(runner) {
            if runner.isInterrupted || results.contains(where: \.outcome.isFailure) { return results }
            StandardError.report(.failedLogin, "--auth \(test.argument): the login did not run")
            throw ExitStatus.failed
        }
        let missing = login.secrets.subtracting(values.keys).sorted()
        guard let name = missing.first else { return nil }
        StandardError.report(.failedLogin, "--auth \(test.argument): \"\(name)\" was not captured")
        throw ExitStatus.failed
    }

    /// Logs in again if the credentials of a request were refused, unless this was done a short time ago.
    ///
    /// - Returns: Whether there are new credentials.
    func refresh(after results: [TestResult], _ runner: CaseRunner) async -> Bool {
        let secrets = login.secrets
        let values = values.filter { secrets.contains($0.key) }.map(\.value.text).filter { !$0.isEmpty }
        guard results.contains(where: { Self.isRefused($0, values) }) else { return false }
        let now = RunClock.system.now()
        let mayRepeat = state.withLock { state in
            if let last = state.last, now - last < Self.interval { return false }
            state.last = now
            state.repetitions += 1
            return true
        }
        guard mayRepeat else { return false }
        guard let failed = await logIn(runner) else { return true }
        let findings = failed.flatMap(\.steps).flatMap(\.findings).map(\.wording)
        state.withLock { $0.failure = findings }
        return false
    }

    /// The note about the repetitions of the login for reports; `nil` if there was none.
    var notice: RunNotice? {
        let state = state.withLock { $0 }
        guard state.repetitions > 0 else { return nil }
        guard state.failure.isEmpty else {
            return RunNotice(
                .refusedLogin, severity: .warning, suite: 0,
                message: "credentials were refused, and the login failed when it was repeated", details: state.failure)
        }
        return RunNotice(
            .repeatedLogin, severity: .note, suite: 0,
            message: state.repetitions == 1
                ? "credentials expired, and the login was repeated once"
                : "credentials expired, and the login was repeated \(state.repetitions) times")
    }

    private func logIn(_ runner: CaseRunner) async -> [TestResult]? {
        let captured = Mutex<[String: CELValue]>([:])
        let plan = test.plan(baseURL: baseURL)
        let results = await runner.run(plan) { options in
            options.retries = nil
            options.captured = { _, captures in
                captured.withLock { values in
                    for (name, value) in captures { values[name] = value }
                }
            }
        }
        if results.contains(where: { !$0.outcome.isSuccess }) || results.isEmpty { return results }
        let outputs = Set(test.outputs)
        let values = captured.withLock { $0 }.filter { outputs.contains($0.key) }
        for name in login.secrets {
            guard let text = values[name]?.text, !SecretText.isUnmaskable(text) else { continue }
            runner.send(.secretRegistered(text))
        }
        state.withLock { $0.values = values }
        return nil
    }

    /// Returns whether the server has refused a request with one of the values.
    private static func isRefused(_ result: TestResult, _ values: [String]) -> Bool {
        result.steps.contains { step in
            guard let exchange = step.exchange, exchange.response?.status == 401 else { return false }
            let request = exchange.request
            return values.contains { value in
                request.url.contains(value) || request.headers.contains { $0.value.contains(value) }
            }
        }
    }
}
