import Basics
import CEL
import Diagnostics
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Expectations

@Suite("Rarely used expectations") struct ExtrasCheckTests {
    private func messages(_ exchange: Exchange, _ change: (inout ExpectationExtras) -> Void) -> [String] {
        var extras = ExpectationExtras()
        change(&extras)
        let set = ExpectationSet(extras: extras, isDefault: false)
        return Fixture.check(set, exchange).map { "\($0.subject): \($0.message)" }
    }

    private func equals(_ value: JSONValue) -> Matcher { Fixture.matcher(.equals(.constant(value))) }

    private func exchange(_ change: (inout ExchangeDetails) -> Void) -> Exchange {
        var details = ExchangeDetails()
        change(&details)
        var exchange = Fixture.exchange(body: "abc")
        exchange.details = details
        return exchange
    }

    @Test func versions() {
        var exchange = Fixture.exchange()
        #expect(messages(exchange) { $0.http = equals(1.1) } == [])
        exchange.response?.version = "2"
        #expect(messages(exchange) { $0.http = equals(2) } == [])
        #expect(messages(exchange) { $0.http = equals("2") } == [])
        #expect(messages(exchange) { $0.http = equals(1.1) } == ["http: expected 1.1, got 2"])
    }

    @Test func trailers() {
        let exchange = exchange { $0.trailers = [HeaderField(name: "X-Sum", value: "7")] }
        let sum = ExpectationSet.Named(name: "x-sum", matcher: equals("7"))
        #expect(messages(exchange) { $0.trailers = [sum] } == [])
        let other = ExpectationSet.Named(name: "X-Some", matcher: equals("7"))
        #expect(
            messages(exchange) { $0.trailers = [other] } == [
                "trailer X-Some: the response has no trailer \"X-Some\"; did you mean \"X-Sum\"?"
            ])
    }

    @Test func redirects() {
        var exchange = Fixture.exchange()
        exchange.hops = [
            Exchange.Hop(status: 302, url: "http://a/", location: "http://a/b"),
            Exchange.Hop(status: 307, url: "http://a/b", location: "http://a/c"),
        ]
        #expect(messages(exchange) { $0.redirects = equals(2) } == [])
        let first = ExpectationExtras.Hop(
            status: .init(pattern: .ranges([300...399]), text: "3xx", range: Fixture.range()),
            url: equals("http://a/"), range: Fixture.range())
        let second = ExpectationExtras.Hop(location: equals("http://a/d"), range: Fixture.range())
        #expect(
            messages(exchange) { $0.hops = .each([first, second], range: Fixture.range()) } == [
                "hop 2 location: expected \"http://a/d\" (string), got \"http://a/c\" (string)"
            ])
        #expect(
            messages(exchange) { $0.hops = .each([first], range: Fixture.range()) } == [
                "hops: expected 1 redirect, got 2"
            ])
        #expect(
            messages(exchange) { $0.hops = .each([first, first, first], range: Fixture.range()) }.last
                == "hops: expected 3 redirects, got 2")
        let list = Fixture.matcher(.each(Fixture.matcher(.like(.constant(["status": 302])))))
        #expect(messages(exchange) { $0.hops = .list(list) }.count == 1)
    }

    @Test func timings() {
        var exchange = Fixture.exchange()
        exchange.timings = Exchange.Timings(dns: nil, firstByte: 20_000_000, transfer: 1, total: 30_000_000)
        let fast = Fixture.matcher(.lt(.constant(10_000_000)), domain: .duration)
        #expect(messages(exchange) { $0.timings = [(.dns, fast), (.transfer, fast)] } == [])
        #expect(
            messages(exchange) { $0.timings = [(.firstByte, fast)] } == [
                "timings firstByte: expected < 10 ms, got 20 ms"
            ])
        let absent = Fixture.matcher(.exists(false), domain: .duration)
        #expect(messages(exchange) { $0.timings = [(.dns, absent)] } == [])
        #expect(messages(exchange) { $0.timings = [(.transfer, absent)] }.count == 1)
    }

    @Test func certificate() {
        let secured = exchange {
            $0.certificate = CertificateInfo(
                subject: "CN=api.example.org,O=Example", issuer: "CN=Authority", names: ["*.example.org", "127.0.0.1"],
                notAfter: 2_500_000_000)
        }
        var expected = ExpectationExtras.Certificate(range: Fixture.range())
        expected.subject = Fixture.matcher(.contains(.constant("CN=api.example.org")))
        expected.names = Fixture.matcher(.includes(Fixture.matcher(.equals(.constant("*.example.org")))))
        expected.expiresIn = Fixture.matcher(.gt(.constant(86_400_000_000_000)), domain: .duration)
        #expect(messages(secured) { $0.certificate = expected } == [])
        #expect(
            messages(Fixture.exchange()) { $0.certificate = expected } == [
                "certificate: the connection has no certificate because it does not use TLS"
            ])
        expected.expiresIn = Fixture.matcher(.lt(.constant(1)), domain: .duration)
        expected.issuer = equals("CN=other")
        #expect(messages(secured) { $0.certificate = expected }.count == 2)
        let expired = exchange {
            $0.certificate = CertificateInfo(subject: "CN=a", issuer: "CN=a", names: [], notAfter: 86_400)
        }
        expected = ExpectationExtras.Certificate(range: Fixture.range())
        expected.expiresIn = Fixture.matcher(.gt(.constant(1_209_600_000_000_000)), domain: .duration)
        let message = messages(expired) { $0.certificate = expected }.first
        #expect(message?.hasPrefix("certificate expiresIn: expected > 14 d, got -") == true)
        #expect(message?.hasSuffix(" ago") == true)
    }

    @Test func digest() {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(messages(Fixture.exchange(body: "abc")) { $0.sha256 = equals(.string(digest)) } == [])
        #expect(messages(Fixture.exchange(body: "abd")) { $0.sha256 = equals(.string(digest)) }.count == 1)
        #expect(
            messages(Fixture.exchange(body: "abc")) { $0.sha256 = equals(.string(digest.uppercased())) }.first?
                .hasSuffix("; they differ only in case") == true)
    }

    @Test func image() {
        var expected = ExpectationExtras.Image(range: Fixture.range())
        expected.format = equals("gif")
        expected.width = Fixture.matcher(.lte(.constant(2)))
        let gif = exchange { $0.image = ImageMetadata(format: "gif", width: 3, height: 1) }
        #expect(messages(gif) { $0.image = expected } == ["image width: expected ≤ 2, got 3 (integer)"])
        #expect(
            messages(Fixture.exchange(body: "{}", contentType: "application/json")) { $0.image = expected } == [
                "image: the body is not an image in a known format (Content-Type is application/json)"
            ])
        #expect(
            messages(Fixture.exchange()) { $0.image = expected } == [
                "image: expected an image, but the body is empty"
            ])
        let broken = exchange { $0.image = ImageMetadata(format: "png") }
        #expect(
            messages(broken) { $0.image = expected } == [
                "image: the body has the signature of the png format, but its header is damaged or cut off; it has 3 bytes"
            ])
    }

    // MARK: Events

    private static func event(_ name: String, _ data: JSONValue) -> JSONValue {
        .object(["event": .string(name), "data": data])
    }

    private static let events: [JSONValue] = [
        event("open", ["n": 1]), event("ping", "x"), event("update", ["n": 2, "more": true]),
    ]

    @Test func eventsInOrderWithOthersBetween() {
        let exchange = exchange {
            $0.events = Self.events
            $0.streamEnd = .closed
        }
        let open = ExpectationExtras.Event.members([("event", equals("open"))], range: Fixture.range(1))
        let update = ExpectationExtras.Event.value(
            Fixture.matcher(.like(.constant(["event": "update", "data": ["n": 2]])), line: 2))
        #expect(messages(exchange) { $0.events = [open, update] } == [])
        #expect(
            messages(exchange) { $0.events = [update, open] } == [
                "events: expected event 2 of 2 before the end of the stream, but no event arrived after event 3"
            ])
        #expect(
            messages(exchange) { $0.events = [open, open] } == [
                "events: expected event 2 of 2 before the end of the stream, but none of the 2 events after event 1 matches"
            ])
    }

    @Test func eventsThatAreMissingAreShownWithWhatCame() throws {
        let exchange = exchange {
            $0.events = ["one", "two"]
            $0.streamEnd = .timeout(2_000_000_000)
        }
        var extras = ExpectationExtras()
        extras.events = [.value(equals(2))]
        let findings = Fixture.check(ExpectationSet(extras: extras, isDefault: false), exchange)
        let finding = try #require(findings.first)
        #expect(finding.message == "expected event 1 of 1 before the timeout of 2 s, but none of the 2 events matches")
        #expect(finding.details.count == 4)
        #expect(finding.details.first == "event 1: \"one\"")
    }

    @Test func linesThatAreNumbersAreComparedAsWhatTheySay() {
        let exchange = exchange { $0.events = ["42"] }
        #expect(messages(exchange) { $0.events = [.value(equals(42))] } == [])
    }

    @Test func eventsAreNamesInExpressions() throws {
        let exchange = exchange {
            $0.events = ["one", "two"]
            $0.streamEnd = .closed
        }
        let set = ExpectationSet(
            assertions: [try Fixture.expression("response.events[1] == 'two'")], isDefault: false)
        #expect(Fixture.check(set, exchange).isEmpty)
    }
}
