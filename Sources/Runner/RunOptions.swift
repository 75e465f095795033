public import Basics
public import CEL
package import HTTPSession
public import RunModel
import SuiteModel

/// The options of a run.
public struct RunOptions: Sendable {
    /// The maximum number of exchanges in flight.
    public var jobs: Int
    /// The number of event loops, each on its own thread; nil to choose one automatically.
    ///
    /// Tests are distributed among the event loops.
    public var eventLoops: Int?
    /// The number of failed tests after which no further test starts; nil to run all tests.
    public var failFast: Int?
    /// The number of retries for tests whose suite specifies none; 0 disables all retries, nil leaves them to the
    /// suites.
    public var retries: Int?
    /// The seed of `random`, `randomString` and `uuid`.
    public var seed: UInt64
    /// Whether tests that are ready at the same time start in an order derived from the seed instead of file order.
    public var shuffles = false
    /// The maximum number of requests per second; nil for no maximum.
    public var rate: Double?
    /// The timeout of exchanges whose suite specifies none, in nanoseconds; nil for the session's timeouts.
    public var timeout: Int64?
    /// The variables given on the command line.
    public var variables: [String: CELValue]
    /// Whether every exchange is kept for reports, not only those of failures.
    public var keepsExchanges: Bool
    /// The handling of snapshots beyond comparison.
    public var snapshots: SnapshotMode
    /// The absolute path of the directory that file access is confined to.
    public var fileRoot: String
    /// The trust settings of all connections.
    public var trust: TrustOptions
    /// The default proxy and address overrides for requests.
    public var routes: RunRoutes
    /// The environment of the process, for `env()`.
    public var environment: [String: String]
    /// The monotonic clock for durations and waits.
    public var clock: RunClock
    /// The start time of the run for reports, in seconds since 1970-01-01T00:00:00Z.
    public var startTime: Double
    /// The version of the program, for reports and the `User-Agent` field.
    public var version: String

    /// The path of the directory for the bodies that steps save, resolved against the working directory of the process.
    public var outputDirectory = "apitest-output"
    /// Whether reports get an outline of each exchange that is not kept.
    public var keepsOutlines = false
    /// The host name of the machine, for reports.
    public var hostName = ""
    /// The absolute path of the working directory, for reports.
    public var workingDirectory = ""
    /// The shard of the tests that is run, such as `2/5` or `hash:2/5`; nil to run all tests.
    public var shard: String?
    /// The revision and CI job of the run, for reports.
    public var origin = RunOrigin()
    /// The total number of tests in all shards; nil when the run is not sharded.
    public var testCountOfShards: Int?
    /// The response locks to record or to check responses against; nil for neither.
    public var responses: ResponseLocks?
    /// The known findings; nil when the run has no baseline.
    public var baseline: Baseline?
    /// The receiver of the captures of each test that passes; nil if nothing outside of the run needs them.
    public var captured: (@Sendable (_ test: TestReference, _ captures: [(name: String, value: CELValue)]) -> Void)?
    /// Whether a request of any method is sent again if the server closes a kept connection before it responds.
    public var repeatsAllMethods = false
    /// The connections of this and other runs; nil for new ones, which the run closes.
    public var connections: RunConnections?
    /// Whether reports include the digests of the suites' files.
    public var makesDigests = false

    /// Creates options.
    ///
    /// - Parameter snapshots: The handling of snapshots; nil to derive it from `CI` in the environment.
    public init(
        jobs: Int = 16, eventLoops: Int? = nil, failFast: Int? = nil, retries: Int? = nil, seed: UInt64,
        variables: [String: CELValue] = [:],
        keepsExchanges: Bool = false, snapshots: SnapshotMode? = nil, fileRoot: String,
        trust: TrustOptions = TrustOptions(),
        routes: RunRoutes = RunRoutes(),
        environment: [String: String] = [:], clock: RunClock = .system, startTime: Double, version: String
    ) {
        self.jobs = jobs
        self.eventLoops = eventLoops
        self.failFast = failFast
        self.retries = retries
        self.seed = seed
        self.variables = variables
        self.keepsExchanges = keepsExchanges
        self.snapshots = snapshots ?? SnapshotMode(environment: environment)
        self.fileRoot = fileRoot
        self.trust = trust
        self.routes = routes
        self.environment = environment
        self.clock = clock
        self.startTime = startTime
        self.version = version
    }
}

/// The proxy and the address overrides of a run.
public struct RunRoutes: Sendable, Hashable {
    /// An invalid proxy URL or address override.
    public struct Failure: Error, Sendable {
        /// A one-sentence description without a final period.
        public var message: MessageText
    }

    var proxy = ProxyPolicy.direct
    var overrides: [ResolveOverride] = []

    /// Creates routes that connect directly.
    public init() {}

    /// Creates routes.
    ///
    /// - Parameters:
    ///   - proxy: The URL of the proxy, such as `http://127.0.0.1:3128`; nil for none.
    ///   - resolve: The addresses to use instead of name resolution, each as `HOST:PORT:ADDRESS`.
    /// - Throws: ``Failure`` if a string does not have the expected format.
    public init(proxy: String?, resolve: [String] = []) throws(Failure) {
        do throws(ConnectionSettingError) {
            if let proxy { self.proxy = .proxy(try Proxy(proxy)) }
            for text in resolve { overrides.append(try ResolveOverride(text)) }
        } catch {
            throw Failure(message: error.wording)
        }
    }

    /// The proxy's password, which every output must mask.
    var secret: String? { proxy.http?.password }
}

/// The TLS trust settings and the client certificate of a run.
public struct TrustOptions: Sendable, Hashable {
    /// Whether any certificate is accepted; only at the user's explicit request.
    public var isInsecure: Bool
    /// The path of a PEM file with certificate authorities that replace the system's.
    public var authorities: String?
    /// The path of the client certificate's PEM file, presented to servers that request one.
    public var certificate: String?
    /// The path of the PEM file with the certificate's private key; nil if the certificate's file contains it.
    public var key: String?

    /// Creates trust settings. By default, the system's authorities are trusted.
    public init(
        isInsecure: Bool = false, authorities: String? = nil, certificate: String? = nil, key: String? = nil
    ) {
        self.isInsecure = isInsecure
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// Returns a one-sentence description of why the settings cannot be used, or nil if they can.
    public func problem() -> MessageText? {
        if let authorities, let problem = TrustPolicy.authorities([authorities]).problem() { return problem }
        return certificate == nil ? nil : options.problem()
    }

    /// The settings in the form that the session library expects.
    var options: TLSOptions {
        var options = TLSOptions()
        if isInsecure {
            options.trust = .insecure
        } else if let authorities {
            options.trust = .authorities([authorities])
        }
        if let certificate {
            options.identity = ClientIdentity(certificate: .file(certificate), key: key.map { .file($0) })
        }
        return options
    }
}

extension SessionConfiguration {
    /// Creates the configuration of a session with the program's options.
    ///
    /// - Parameter version: The version of the program, for the `User-Agent` field.
    package init(trust: TrustOptions, routes: RunRoutes, version: String) {
        self.init(userAgent: "apitest/\(version)")
        if trust != TrustOptions() { connection.tls = trust.options }
        if routes != RunRoutes() {
            connection.proxy = routes.proxy
            connection.resolve = routes.overrides
        }
    }
}
