import Basics

/// Conventions shared by all writers of HTTP Archives (HAR 1.2).
package enum HARParts {
    /// The comment of a request body in base64; the format has no member for this encoding.
    package static let base64Comment = "the text is base64-encoded"
    /// The comment of a streamed body, whose text is unknown.
    package static let streamedComment = "the body was generated while it was sent"
    /// The comment of a body that is included without its content codings.
    package static let compressedComment = "the body was sent compressed"

    /// Returns a body as text; nil if it is not valid UTF-8 or contains NUL.
    package static func text(_ body: some Collection<UInt8>) -> String? {
        body.contains(0) ? nil : String(validating: body, as: UTF8.self)
    }

    /// Calls a closure with the name and the value of each cookie in a `Cookie` field.
    package static func eachCookie(of field: String, _ body: (_ name: String, _ value: String) -> Void) {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop { $0 == 0x20 }
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            body(
                String(decoding: pair[..<equals], as: UTF8.self),
                String(decoding: pair[equals...].dropFirst(), as: UTF8.self))
        }
    }

    /// Returns the size of an HTTP/1 status line in bytes.
    ///
    /// - Parameter version: The length of the version in bytes: 8 for `HTTP/1.1`.
    package static func sizeOfStatusLine(version: Int, status: Int, reason: String) -> Int {
        // A valid status has three digits; an invalid one is written as received.
        let digits = 100...999 ~= status ? 3 : String(status).utf8.count
        return version + digits + reason.utf8.count + 4
    }

    /// Returns the size of an HTTP/1 header field line in bytes.
    @inlinable @inline(__always)
    package static func sizeOfField(_ nameAndValue: Int) -> Int { nameAndValue + 4 }
}

/// The durations of an exchange's phases (HAR 1.2, "timings"), in microseconds; nil for a phase that did not occur.
package struct HARPhases {
    /// The time before the request was sent, mostly spent waiting for a connection.
    package let blocked: Int64
    package let dns: Int64?
    /// The time to establish the connection, including the TLS handshake.
    package let connect: Int64?
    package let ssl: Int64?
    package let send: Int64
    package let wait: Int64
    package let receive: Int64
    /// The sum of all phases except ``ssl``, which ``connect`` includes.
    package let total: Int64

    /// Creates the phases from durations in nanoseconds.
    ///
    /// - Parameter queued: The wait for a connection, which is the minimum of ``blocked``.
    package init(
        queued: Int64 = 0, dns: Int64?, connect: Int64?, tls: Int64?, send: Int64 = 0, wait: Int64, receive: Int64,
        total: Int64
    ) {
        func microseconds(_ time: Int64) -> Int64 { (max(0, time) / 100 + 5) / 10 }
        self.dns = dns.map(microseconds)
        ssl = tls.map(microseconds)
        self.connect = connect.map { microseconds($0) + (tls.map(microseconds) ?? 0) }
        self.send = microseconds(send)
        self.wait = microseconds(wait)
        self.receive = microseconds(receive)
        let phases = (self.dns ?? 0) + (self.connect ?? 0) + self.send + self.wait + self.receive
        // The phases describe the last attempt; the remaining time counts as waiting.
        blocked = max(microseconds(queued), microseconds(total) - phases)
        self.total = phases + blocked
    }
}
