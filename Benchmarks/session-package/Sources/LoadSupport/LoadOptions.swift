import Glibc

/// The options of a load program. All of them take the same arguments.
public struct LoadOptions: Sendable {
    /// The protocol that every response must use.
    public enum Version: String, Sendable {
        /// HTTP/1.1, over TLS if the URL says https.
        case http1 = "1.1"
        /// HTTP/2, negotiated in the TLS handshake.
        case http2 = "2"
        /// HTTP/2 without TLS, with prior knowledge.
        case http2PriorKnowledge = "h2c"
    }

    /// The URL of all requests.
    public let url: String
    /// The total number of requests.
    public let count: Int
    /// The number of requests in flight, each sent by its own task.
    public let inFlight: Int
    /// The protocol.
    public private(set) var version = Version.http1
    /// A file with the certificate authority of the server, or nil without TLS.
    public private(set) var authorities: String?
    /// The number of event loops, or nil for the library's default.
    public private(set) var loops: Int?
    /// Whether the tasks run where the concurrency runtime puts them, without a preferred executor.
    public private(set) var plainTasks = false

    /// Parses the program's arguments, and exits with status 2 if they are invalid.
    public static func fromCommandLine() -> LoadOptions {
        var rest = CommandLine.arguments.dropFirst()
        guard let url = rest.popFirst(), let count = rest.popFirst().flatMap({ Int($0) }), count > 0,
            let inFlight = rest.popFirst().flatMap({ Int($0) }), inFlight > 0
        else { usage() }
        var options = LoadOptions(url: url, count: count, inFlight: min(inFlight, count))
        while let name = rest.popFirst() {
            if name == "--plain-tasks" {
                options.plainTasks = true
                continue
            }
            guard let value = rest.popFirst() else { usage() }
            switch name {
            case "--http":
                guard let version = Version(rawValue: value) else { usage() }
                options.version = version
            case "--ca": options.authorities = value
            case "--loops":
                guard let loops = Int(value), 1...64 ~= loops else { usage() }
                options.loops = loops
            default: usage()
            }
        }
        return options
    }

    private init(url: String, count: Int, inFlight: Int) {
        self.url = url
        self.count = count
        self.inFlight = inFlight
    }

    private static func usage() -> Never {
        LoadResult.complain("arguments: URL COUNT INFLIGHT [--http 1.1|2|h2c] [--ca FILE] [--loops N] [--plain-tasks]")
        exit(2)
    }

    /// Exits with the status for an unsupported request, which is not a failure.
    public static func unsupported(_ message: String) -> Never {
        LoadResult.complain(message)
        exit(77)
    }
}
