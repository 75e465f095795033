import HTTPSession
import SuiteModel

/// The limits of an exchange, with all expressions evaluated.
struct ExchangeLimits {
    /// The time limit for establishing a connection, in nanoseconds.
    var connect: Int64?
    /// The time limit from the end of the request to the first byte of the response, in nanoseconds.
    var firstByte: Int64?
    /// The time limit of the whole exchange, in nanoseconds.
    var total: Int64?
    /// The maximum size of a response body in bytes.
    var bodySize: Int64?

    /// The timeouts of the request. If the whole exchange is limited, that limit alone defines the other timeouts.
    var timeouts: Timeouts? {
        guard connect != nil || firstByte != nil || total != nil else { return nil }
        let standard = Timeouts()
        let total = total.map { Duration.nanoseconds($0) }
        return Timeouts(
            connect: connect.map { .nanoseconds($0) } ?? standard.connect,
            firstByte: firstByte.map { .nanoseconds($0) } ?? (total == nil ? standard.firstByte : nil),
            idle: total == nil ? standard.idle : nil, total: total ?? standard.total)
    }
}

extension RequestBuilder {
    /// Evaluates the limits of a request.
    ///
    /// - Parameter timeout: The time limit of an exchange whose request does not set one, in nanoseconds.
    func limits(of spec: RequestSpec, timeout: Int64?) throws(TemplateError) -> ExchangeLimits {
        ExchangeLimits(
            connect: try value(spec.timeout.connect), firstByte: try value(spec.timeout.firstByte),
            total: try value(spec.timeout.total) ?? timeout, bodySize: try value(spec.maximumBodySize))
    }
}
