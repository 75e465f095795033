import Basics
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
    /// Returns the reason and message of the connection's end, for an exchange without a response.
    func describe(_ target: String) -> (SessionError.Reason, MessageText) {
        if let number = (failure as? IOError)?.errnoCode, number == ECONNRESET || number == EPIPE {
            return (.connectionReset, "\(target) reset the connection before the response was complete")
        }
        if let words = failure.flatMap({ TLSAlert.words($0) }) { return (.tlsFailed, "\(target) \(words)") }
        if !hasSettings, connections.version == .http2 {
            let detail = failure.map { ": \(HTTP2ErrorText.words($0))" } ?? ": it closed the connection"
            return (.versionNotAvailable, "\(target) does not speak HTTP/2\(detail)")
        }
        if let failure {
            if case .uncleanShutdown? = failure as? NIOSSLError {
                return (.connectionClosed, "\(target) closed the connection before the response was complete")
            }
            return (.protocolViolation, "\(target) violated the HTTP/2 protocol: \(HTTP2ErrorText.words(failure))")
        }
        return (.connectionClosed, "\(target) closed the connection before the response was complete")
    }
}

extension HTTP2ErrorCode {
    /// The name of the error code in RFC 9113, section 7.
    var name: String {
        switch self {
        case .noError: "NO_ERROR"
        case .protocolError: "PROTOCOL_ERROR"
        case .internalError: "INTERNAL_ERROR"
        case .flowControlError: "FLOW_CONTROL_ERROR"
        case .settingsTimeout: "SETTINGS_TIMEOUT"
        case .streamClosed: "STREAM_CLOSED"
        case .frameSizeError: "FRAME_SIZE_ERROR"
        case .refusedStream: "REFUSED_STREAM"
        case .cancel: "CANCEL"
        case .compressionError: "COMPRESSION_ERROR"
        case .connectError: "CONNECT_ERROR"
        case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
        case .inadequateSecurity: "INADEQUATE_SECURITY"
        case .http11Required: "HTTP_1_1_REQUIRED"
        default: "\(networkCode)"
        }
    }
}

/// Descriptions of SwiftNIO's HTTP/2 errors for messages.
enum HTTP2ErrorText {
    /// Returns the words of an error type's name, such as "excessive continuation frames".
    ///
    /// The errors' own descriptions contain source locations in SwiftNIO.
    static func words(_ error: any Error) -> String {
        if let flood = error as? HTTP2FrameGuard.Flood {
            return "too many unsolicited \(flood.frame) frames"
        }
        let type = type(of: error)
        let isKnown = String(reflecting: type).hasPrefix("NIOHTTP2.")
        guard isKnown else { return "\(error)" }
        var words = ""
        let name = Array(String(describing: type))
        for (index, character) in name.enumerated() {
            let isCapital = character.isUppercase
            // An uppercase letter next to another one, and not before a lowercase letter, belongs to an abbreviation,
            // as in "RST".
            let isAfterCapital = index > 0 && name[index - 1].isUppercase
            let isBeforeSmall = index + 1 < name.count && !name[index + 1].isUppercase
            if isCapital, index > 0, !isAfterCapital || isBeforeSmall { words += " " }
            let isAbbreviation = isCapital && !isBeforeSmall && (isAfterCapital || index + 1 < name.count)
            words += isAbbreviation ? String(character) : character.lowercased()
        }
        return words
    }
}
