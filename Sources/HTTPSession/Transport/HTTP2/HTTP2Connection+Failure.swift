import NIOCore
import NIOHTTP2
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension HTTP2Connection {
    /// Why the connection ended, for an exchange that has no answer.
    func describe(_ target: String) -> (SessionError.Reason, String) {
        if let number = (failure as? IOError)?.errnoCode, number == ECONNRESET || number == EPIPE {
            return (.connectionReset, "\(target) reset the connection before the response was complete")
        }
        if let words = failure.flatMap({ TLSAlert.words($0) }) { return (.tlsFailed, "\(target) \(words)") }
        if !hasSettings, connections.version == .http2 {
            let detail = failure.map { ": \(HTTP2ErrorWords.words($0))" } ?? ", it closed the connection"
            return (.versionNotAvailable, "\(target) does not speak HTTP/2\(detail)")
        }
        if let failure {
            if case .uncleanShutdown? = failure as? NIOSSLError {
                return (.connectionClosed, "\(target) closed the connection before the response was complete")
            }
            return (.protocolViolation, "\(target) broke the rules of HTTP/2: \(HTTP2ErrorWords.words(failure))")
        }
        return (.connectionClosed, "\(target) closed the connection before the response was complete")
    }
}
