import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Says in words why no address of a host could be connected to.
enum ConnectFailure {
    static func describe(
        _ failures: [(SocketAddress, any Error)], target: String
    ) -> (SessionError.Reason, String) {
        let numbers = failures.map { ($0.1 as? IOError)?.errnoCode }
        let tried = failures.compactMap { $0.0.pathname == nil ? $0.0.text : nil }
        let isNamed = tried.count == 1 && tried.allSatisfy { target.hasSuffix($0) }
        let addresses = isNamed || tried.isEmpty ? "" : " (tried \(tried.joined(separator: ", ")))"
        // A refusal says more than "no IPv6 here", which is common.
        if numbers.contains(ECONNREFUSED) {
            return (.connectionRefused, "connection refused: \(target)\(addresses)")
        }
        var details: [String] = []
        for (number, failure) in zip(numbers, failures) {
            let detail = number.map { String(cString: strerror($0)) } ?? "\(failure.1)"
            if !details.contains(detail) { details.append(detail) }
        }
        return (.connectionFailed, "cannot connect to \(target)\(addresses): \(details.joined(separator: "; "))")
    }
}
