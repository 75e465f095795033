import Basics
import CEL
import Digests
import Expectations
import HTTPSession
import JSON
import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Bodies that are measured while they stream")
struct BodyMeterTests {
    /// A response, and a step whose expectations the meter can check.
    private struct Scenario {
        let step: SuiteStep
        let transport = ScriptedTransport()

        init(using random: inout TestRandom) {
            let pieces = (0..<random.number(0...4)).map { _ in
                let maximum = random.happens(20) ? 500_000 : 99
                return [UInt8](repeating: UInt8(random.number(0...255)), count: random.number(0...maximum))
            }
            let body = Array(pieces.joined())
            var headers: HTTPHeaders = ["Content-Type": "application/octet-stream", "Set-Cookie": "a=b"]
            let coding = random.happens(30) ? ContentCoding.gzip : nil
            let isCut = coding != nil && random.happens(20)
            if let coding { headers.append(name: "Content-Encoding", value: coding.rawValue) }
            let sent = coding.flatMap { try? $0.encode(body) }.map { isCut ? Array($0.dropLast(9)) : $0 }
            transport.answer(
                with: .pieces(random.happens(80) ? 200 : 404, headers, sent.map { [$0] } ?? pieces))

            var step = Suites.test(0, "a").steps[0]
            let range = step.range
            func matcher(_ operation: Matcher.Operator, _ domain: Matcher.Domain = .value) -> Matcher {
                Matcher([.init(operation, range: range)], domain: domain, range: range)
            }
            func amount(_ value: Int) -> ValueTemplate { .constant(.number(JSONNumber(value))) }
            let size = body.count + (random.happens(50) ? 0 : 1)
            var set = ExpectationSet(status: .init(pattern: .ranges([200...200]), text: "200", range: range))
            set.size = matcher(random.happens(50) ? .equals(amount(size)) : .gt(amount(size)), .size)
            set.headers = [.init(name: "content-type", matcher: matcher(.contains(.constant(.string("octet")))))]
            var extras = ExpectationExtras()
            let digest = random.happens(50) ? Hexadecimal.encode(SHA256.hash(body)) : "00"
            extras.sha256 = matcher(.equals(.constant(.string(digest))))
            set.extras = extras
            step.expectations = set
            self.step = step
        }

        /// Returns the findings and the reported parts of the exchange as text.
        func outcome(_ send: (PendingExchange) async throws(SessionError) -> Exchange) async -> String {
            let session = Session(transport: transport)
            let exchange: Exchange
            do throws(SessionError) {
                exchange = try await send(session.get("http://localhost/"))
            } catch {
                return "\(error.phase) \(error.reason) \(error.message)"
            }
            let findings = ExpectationChecker().check(
                step.expectations, exchange: exchange, scope: CELVariables(), context: CELContext())
            let reported = ReportedExchange(exchange, isDecoded: true).exchange
            let response = reported.response
            let size = response?.wholeSize ?? reported.details?.measuredBody?.size ?? response?.body.count ?? 0
            return "\(findings.map { "\($0.subject) \($0.message)" }) \(response?.status ?? 0) \(size) "
                + "\(response?.headers ?? []) \(reported.cookies.map(\.name)) \(response?.body.hashValue ?? 0)"
        }
    }

    @Test("A streamed body is checked and reported like one that is read whole", arguments: 0..<6)
    func agreement(_ seed: UInt64) async {
        var random = TestRandom(seed: seed)
        var passed = 0
        for _ in 0..<30 {
            let scenario = Scenario(using: &random)
            let extras = scenario.step.expectations.extras
            let whole = await scenario.outcome { pending throws(SessionError) in
                ExchangeRecorder.exchange(try await pending.response(), expected: extras)
            }
            let metered = await scenario.outcome { pending throws(SessionError) in
                try await BodyMeter(step: scenario.step, clock: .system).exchange(pending)
            }
            #expect(metered == whole)
            if whole.hasPrefix("[] 200") { passed += 1 }
        }
        #expect(passed > 0)
    }
}
