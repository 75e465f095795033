import Basics
import Testing

@testable import HTTPSession

/// Tests of the bytes sent to proxies, for any fragmentation of the received bytes.
@Suite("Proxy negotiation")
struct NegotiationTests {
    /// Returns the outcome of a negotiation with the given responses, each received byte by byte or at once.
    private static func outcome(
        _ proxy: Proxy, host: String = "example.org", port: Int = 443, _ answers: [[UInt8]], inParts: Bool
    ) -> (sent: [[UInt8]], result: String) {
        do {
            var negotiation = try proxy.negotiation(host: host, port: port)
            var sent = [negotiation.start()]
            for answer in answers {
                let parts = inParts ? answer.map { [$0] } : [answer]
                for part in parts {
                    switch try negotiation.receive(part) {
                    case .wait: continue
                    case .send(let bytes): sent.append(bytes)
                    case .established: return (sent, "established")
                    }
                }
            }
            return (sent, "waits")
        } catch {
            return ([], error.message.text)
        }
    }

    @Test("CONNECT requests are sent with and without credentials", arguments: [true, false])
    func connect(inParts: Bool) {
        var proxy = Proxy(.http, host: "proxy", port: 3128)
        let yes = Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\nX-Y: z\r\n\r\n".utf8)
        let first = Self.outcome(proxy, [yes], inParts: inParts)
        #expect(first.result == "established")
        #expect(first.sent == [Array("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n".utf8)])
        proxy.username = "ada"
        proxy.password = "love"
        let second = Self.outcome(proxy, host: "::1", [yes], inParts: inParts)
        #expect(
            second.sent == [
                Array(
                    "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\nProxy-Authorization: Basic YWRhOmxvdmU=\r\n\r\n"
                        .utf8)
            ])
    }

    @Test(
        "Responses that do not establish a tunnel are reported",
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "the proxy p:1 refused to connect to example.org:443: 403 Forbidden"),
            ("HTTP/1.1 502\r\n\r\n", "the proxy p:1 refused to connect to example.org:443: 502"),
            (
                "HTTP/1.1 407 Authenticate\r\n\r\n",
                "the proxy p:1 requires a user name and password: 407 Authenticate"
            ),
            ("SSH-2.0-server\r\n", "the proxy p:1 does not speak HTTP on this port"),
            (
                "HTTP/1.1 200 OK\r\n\r\nmore",
                "the proxy p:1 sent data before the tunnel to example.org:443 was used"
            ),
            ("HTTP/1.1 abc\r\n\r\n", "the proxy p:1 does not respond as an HTTP proxy: "),
            ("HTTP/1.1 200 OK\r\n", "waits"), ("HTT", "waits"),
        ])
    func refusals(answer: String, result: String) {
        let outcome = Self.outcome(Proxy(.http, host: "p", port: 1), [Array(answer.utf8)], inParts: false)
        #expect(outcome.result.hasPrefix(result), "\(outcome.result)")
    }

    @Test("A proxy response header that exceeds the limit is an error")
    func endless() {
        let answer = Array("HTTP/1.1 200 OK\r\n".utf8) + Array(repeating: UInt8(ascii: "a"), count: 70_000)
        let outcome = Self.outcome(Proxy(.http, host: "p", port: 1), [answer], inParts: false)
        #expect(outcome.result == "the proxy p:1 sent a header of more than 65536 bytes")
    }

    @Test("SOCKS 5 requests contain names, IPv4 addresses, or IPv6 addresses", arguments: [true, false])
    func socks(inParts: Bool) {
        let proxy = Proxy(.socks5h, host: "proxy", port: 1080)
        let consents: [[UInt8]] = [
            [5, 0, 0, 1, 127, 0, 0, 1, 0, 80], [5, 0, 0, 3, 2, 97, 98, 0, 80],
            [5, 0, 0, 4] + Array(repeating: 0, count: 18),
        ]
        for consent in consents {
            let outcome = Self.outcome(proxy, [[5, 0], consent], inParts: inParts)
            #expect(outcome.result == "established")
            #expect(outcome.sent == [[5, 1, 0], [5, 1, 0, 3, 11] + Array("example.org".utf8) + [1, 187]])
        }
        let version4 = Self.outcome(proxy, host: "192.0.2.1", port: 8080, [[5, 0]], inParts: inParts)
        #expect(version4.sent.last == [5, 1, 0, 1, 192, 0, 2, 1, 0x1F, 0x90])
        let version6 = Self.outcome(proxy, host: "2001:db8::1", port: 1, [[5, 0]], inParts: inParts)
        #expect(version6.sent.last == [5, 1, 0, 4, 0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1, 0, 1])
    }

    @Test("SOCKS 5 negotiates a user name and password", arguments: [true, false])
    func credentials(inParts: Bool) {
        let proxy = Proxy(.socks5h, host: "p", port: 1, username: "ada", password: "pw")
        let right = Self.outcome(proxy, [[5, 2], [1, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]], inParts: inParts)
        #expect(right.result == "established")
        #expect(right.sent.prefix(2) == [[5, 2, 0, 2], [1, 3, 97, 100, 97, 2, 112, 119]])
        let notAsked = Self.outcome(proxy, [[5, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]], inParts: inParts)
        #expect(notAsked.result == "established")
        #expect(notAsked.sent.count == 2)
        let wrong = Self.outcome(proxy, [[5, 2], [1, 1]], inParts: inParts)
        #expect(wrong.result == "the SOCKS proxy p:1 rejected the user name and password")
        let long = Proxy(.socks5, host: "p", port: 1, username: String(repeating: "a", count: 256), password: "x")
        #expect(
            Self.outcome(long, [], inParts: inParts).result.hasPrefix("the user name and password of the SOCKS proxy"))
    }

    @Test(
        "SOCKS replies are converted to error messages",
        arguments: [
            ([[5, 0xFF]], "the SOCKS proxy p:1 requires a user name and password or another authentication method"),
            ([[5, 2]], "the proxy p:1 does not speak SOCKS 5 on this port"),
            ([[4, 0]], "the proxy p:1 does not speak SOCKS 5 on this port"),
            ([Array("HTTP/1.1 400".utf8)], "the proxy p:1 does not speak SOCKS 5 on this port"),
            (
                [[5, 0], [5, 1, 0]],
                "the SOCKS proxy p:1 could not connect to example.org:443: general SOCKS server failure"
            ),
            ([[5, 0], [5, 2, 0]], "could not connect to example.org:443: connection not allowed by ruleset"),
            ([[5, 0], [5, 3, 0]], "network unreachable"), ([[5, 0], [5, 4, 0]], "host unreachable"),
            ([[5, 0], [5, 5, 0]], "connection refused"), ([[5, 0], [5, 6, 0]], "TTL expired"),
            ([[5, 0], [5, 7, 0]], "command not supported"),
            ([[5, 0], [5, 8, 0]], "address type not supported"),
            ([[5, 0], [5, 99, 0]], "unknown reply 99"),
            ([[5, 0], [5, 0, 0, 1, 1, 2, 3, 4, 0, 0, 9]], "the SOCKS proxy p:1 sent data before"),
            ([[5, 0], [5, 0, 0, 9, 0]], "the proxy p:1 does not speak SOCKS 5 on this port"),
        ] as [([[UInt8]], String)])
    func replies(answers: [[UInt8]], words: String) {
        let outcome = Self.outcome(Proxy(.socks5h, host: "p", port: 1), answers, inParts: false)
        #expect(outcome.result.contains(words), "\(outcome.result)")
    }
}
