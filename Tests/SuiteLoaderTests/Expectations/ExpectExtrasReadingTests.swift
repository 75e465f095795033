import JSON
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("Reading rarely used expectations")
struct ExpectExtrasReadingTests {
    @Test("All rarely used expectations are read")
    func all() throws {
        let set = try loadStep(
            """
            request: { url: /, stream: sse }
            expect:
              http: 2
              redirects: 1
              hops: [{ status: 3xx, url: http://localhost/, location: { endsWith: /b } }]
              timings: { dns: { lt: 1s }, firstByte: { lt: 20ms } }
              certificate: { subject: { contains: CN }, names: { includes: a.example }, expiresIn: { gt: 14d } }
              trailers: { X-Sum: { exists: true } }
              events: [{ event: a, data: { like: { n: 1 } } }, { like: { id: "2" } }]
              sha256: E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855
              image: { format: png, width: { lte: 64 } }
            """
        ).expectations
        #expect(!set.isDefault)
        let extras = try #require(set.extras)
        #expect(extras.http != nil && extras.redirects != nil)
        guard case .each(let hops, _) = extras.hops else {
            Issue.record("expected a list of hops")
            return
        }
        #expect(hops.first?.status?.text == "3xx")
        #expect(extras.timings.map(\.phase) == [.dns, .firstByte])
        #expect(extras.certificate?.expiresIn?.domain == .duration)
        #expect(extras.trailers.map(\.name) == ["X-Sum"])
        #expect(extras.events.count == 2)
        guard case .members(let members, _)? = extras.events.first else {
            Issue.record("unexpected events: \(extras.events)")
            return
        }
        #expect(members.map(\.name) == ["event", "data"])
        let operation = try #require(extras.sha256?.operations.first)
        guard case .equals(.constant(let digest)) = operation.operator else {
            Issue.record("expected a digest")
            return
        }
        #expect(digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(extras.image?.width != nil && extras.image?.height == nil)
    }

    @Test("Null removes one default and keeps the others")
    func removal() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            defaults: { expect: { http: 1.1, redirects: 0 } }
            tests:
              - { name: a, request: GET /, expect: { http: null } }
              - { name: b, request: GET /, expect: { http: null, redirects: null } }
              - { name: c, request: GET / }
            """)
        let extras = suite.tests.map { $0.steps[0].expectations.extras }
        #expect(extras[0]?.http == nil && extras[0]?.redirects != nil)
        #expect(extras[1] == nil)
        #expect(extras[2]?.http != nil)
    }
}
