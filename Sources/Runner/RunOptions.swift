public import CEL
import HTTPSession
public import RunModel
import SuiteModel

/// How a run is to be made.
public struct RunOptions: Sendable {
    /// Exchanges in flight at most.
    public var jobs: Int
    /// Event loops, each a thread; tests are divided among them. Nil for as many as are of use.
    public var eventLoops: Int?
    /// The number of failed tests after which no further test starts; nil goes on to the end.
    public var failFast: Int?
    /// Retries of tests of which their suite says nothing; 0 makes no retries at all, nil leaves them to the suites.
    public var retries: Int?
    /// The seed of `random`, `randomString` and `uuid`.
    public var seed: UInt64
    /// Whether tests that could start at the same time start in an order that the seed decides, not in file order.
    public var shuffles = false
    /// How long an exchange may take of which its suite does not say it, in nanoseconds; nil for the session's bounds.
    public var timeout: Int64?
    /// Variables given on the command line.
    public var variables: [String: CELValue]
    /// True when every exchange is kept for reports, not those of failures alone.
    public var keepsExchanges: Bool
    /// What is done with snapshots beside comparing.
    public var snapshots: SnapshotMode
    /// The folder that file access stays in, absolute.
    public var fileRoot: String
    /// Trust settings for every connection.
    public var trust: RunTrust
    /// The ways by which requests reach their servers, unless they say otherwise.
    public var routes: RunRoutes
    /// The process's environment, for `env()`.
    public var environment: [String: String]
    /// The monotonic clock that durations are taken from.
    public var clock: RunClock
    /// Seconds since 1970-01-01T00:00:00Z at the beginning, for reports.
    public var startTime: Double
    /// The program's version, for reports and the User-Agent.
    public var version: String

    /// Whether the outlines of exchanges that are not kept are there for reports.
    public var keepsOutlines = false
    /// The name of the machine, for reports.
    public var hostName = ""
    /// The absolute path of the working folder, for reports.
    public var workingFolder = ""
    /// The part of the tests that is run, as in `2/5`; nil for all.
    public var shard: String?
    /// The revision and the CI job of the run, for reports.
    public var origin = RunOrigin()
    /// The tests of all shards together, where a shard is run.
    public var testCountOfShards: Int?
    /// Records the shapes of responses, or holds them against locks; nil for neither.
    public var responses: ResponseLocks?
    /// The findings that are known; nil when none is looked for.
    public var baseline: Baseline?
    /// Whether reports are told the digests of the suites' files.
    public var makesDigests = false

    /// Creates options.
    ///
    /// - Parameter snapshots: What is done with snapshots; nil for what the environment's `CI` asks for.
    public init(
        jobs: Int = 16, eventLoops: Int? = nil, failFast: Int? = nil, retries: Int? = nil, seed: UInt64,
        variables: [String: CELValue] = [:],
        keepsExchanges: Bool = false, snapshots: SnapshotMode? = nil, fileRoot: String, trust: RunTrust = RunTrust(),
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

extension RunOptions {
    /// The request with the run's bound of its time, where it has none of its own.
    func completed(_ request: RequestSpec) -> RequestSpec {
        guard let timeout, request.timeout.total == nil else { return request }
        var request = request
        request.timeout.total = timeout
        return request
    }
}

/// The ways by which a run's requests reach their servers.
public struct RunRoutes: Sendable, Hashable {
    /// Why a way cannot be gone.
    public struct Failure: Error, Sendable {
        /// One sentence without a final full stop.
        public var message: String
    }

    var proxy = ProxyPolicy.direct
    var overrides: [ResolveOverride] = []

    /// The direct way.
    public init() {}

    /// Creates routes.
    ///
    /// - Parameters:
    ///   - proxy: the URL of the proxy, such as `http://127.0.0.1:3128`; nil for none.
    ///   - resolve: addresses that stand for what names resolve to, each as `HOST:PORT:ADDRESS`.
    /// - Throws: ``Failure`` for a text that is not such.
    public init(proxy: String?, resolve: [String] = []) throws(Failure) {
        do throws(ConnectionSettingError) {
            if let proxy { self.proxy = .proxy(try Proxy(proxy)) }
            for text in resolve { overrides.append(try ResolveOverride(text)) }
        } catch {
            throw Failure(message: error.message)
        }
    }

    /// The password for the proxy, which every output must mask.
    var secret: String? { proxy.http?.password }
}

/// Whom a run's TLS connections trust, and as whom they appear.
public struct RunTrust: Sendable, Hashable {
    /// True accepts any certificate; only on the user's explicit word.
    public var isInsecure: Bool
    /// A PEM file of authorities that are trusted instead of the system's.
    public var authorities: String?
    /// The PEM file of the certificate that is shown to servers that ask for one.
    public var certificate: String?
    /// The PEM file of the certificate's key; nil when the certificate's file holds it.
    public var key: String?

    /// Creates trust settings; without arguments the system's authorities are trusted.
    public init(
        isInsecure: Bool = false, authorities: String? = nil, certificate: String? = nil, key: String? = nil
    ) {
        self.isInsecure = isInsecure
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// Why the settings cannot be used, as one sentence, or nil.
    public func problem() -> String? {
        if let authorities, let problem = TrustPolicy.authorities([authorities]).problem() { return problem }
        return certificate == nil ? nil : options.problem()
    }

    /// The settings as the session library takes them.
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
