import CEL
import SuiteModel
import SuiteTestSupport
import Testing

/// Tests of groups of steps, loops with conditions, and the cleanup of tests.
@Suite("Reading groups, loops and cleanups")
struct GroupReadingTests {
    @Test("The steps of a group follow it in the list of all steps, and the cleanup comes last")
    func order() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - name: outer
                    steps:
                      - { name: first, request: GET / }
                      - name: inner
                        retry: 2
                        steps: [{ name: second, request: GET / }]
                  - { name: third, request: GET / }
                finally:
                  - { name: fourth, request: GET / }
            """)
        let test = try #require(suite.tests.first)
        #expect(test.steps.map(\.name) == ["outer", "first", "inner", "second", "third", "fourth"])
        #expect(test.steps.map { $0.group?.count } == [3, nil, 1, nil, nil, nil])
        #expect(test.steps[2].retry?.known?.times == 2)
        #expect(test.body.count == 5)
        #expect(test.cleanup.map(\.name) == ["fourth"])
        #expect(test.steps.hasGroup(around: 3) { $0.name == "outer" })
        #expect(!test.steps.hasGroup(around: 4) { _ in true })
    }

    @Test("Captures of a cleanup, and of groups that may be skipped, may be missing; others may not")
    func uncertainCaptures() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            variables: { wants: true }
            tests:
              - name: a
                steps:
                  - if: wants
                    steps:
                      - { name: make, request: POST /, capture: { maybe: $.id } }
                      - { name: read, request: "GET /${maybe}" }
                  - steps: [{ request: POST /, capture: { sure: $.id } }]
                  - { request: "GET /${maybe}/${sure}/${steps.make.status}" }
                finally:
                  - { request: "DELETE /${sure}", capture: { gone: $.id } }
                  - { request: "GET /${gone}" }
            """)
        let steps = try #require(suite.tests.first).steps
        #expect(
            steps.map(\.uncertainCaptures) == [
                [], [], ["maybe"], [], [], ["maybe", "steps.make"], ["sure"], ["gone"],
            ])
        #expect(steps[1].isReferenced)
    }

    @Test("`while` is a condition, or a mapping with the maximum number of iterations")
    func whileRule() throws {
        let plain = try loadStep("request: GET /\nwhile: x == 1")
        #expect(plain.flow?.whileRule?.condition.expression.source == "x == 1")
        #expect(plain.flow?.whileRule?.times == 100)
        let limited = try loadStep("request: GET /\nwhile: { condition: \"${x == 1}\", times: 7 }")
        #expect(limited.flow?.whileRule?.times == 7)
    }

    @Test("`times` replaces the default time limit of polling, and both limits can be set")
    func polling() throws {
        let until = { (text: String) in
            try loadStep("request: GET /\nuntil: { status: 200, \(text) }").flow?.until?.pace.known
        }
        #expect(try until("every: 1s")?.within == 60_000_000_000)
        #expect(try until("every: 1s")?.times == nil)
        #expect(try until("times: 5")?.within == nil)
        #expect(try until("times: 5, within: 2s")?.within == 2_000_000_000)
        #expect(try until("times: 5, within: 2s")?.times == 5)
    }

    @Test("A step is skipped with or without a reason, and has a time limit")
    func skipAndTimeout() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - name: a
                steps:
                  - { skip: true, request: GET / }
                  - { skip: later, request: GET / }
                  - { skip: false, request: GET / }
                  - { timeout: 2s, request: GET / }
            """)
        let steps = try #require(suite.tests.first).steps
        #expect(steps.map { $0.flow?.skip } == ["", "later", nil, nil])
        #expect(steps.map { $0.flow?.timeout } == [nil, nil, nil, 2_000_000_000])
        #expect(steps[2].flow == nil)
    }

    @Test("A test has one lock or several")
    func locks() throws {
        let suite = try loadGood(
            """
            baseURL: http://localhost
            tests:
              - { name: a, lock: x, request: GET / }
              - { name: b, lock: [x, y], request: GET / }
              - { name: c, request: GET / }
            """)
        #expect(suite.tests.map(\.locks) == [["x"], ["x", "y"], []])
    }
}
