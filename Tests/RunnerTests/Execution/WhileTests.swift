import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A step that is repeated as long as a condition holds")
struct WhileTests {
    @Test("Each iteration sees the captures of the one before, and the last values remain")
    func pages() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: all
                variables: { next: /books, titles: [] }
                steps:
                  - request: GET ${next}
                    while: ${next != null}
                    capture:
                      next: { json: $.next, default: null }
                      titles: ${titles + body.titles}
                  - { name: check, request: "GET /check/${size(titles)}/${titles[2]}" }
            """)
        run.transport.answer(.get, "/books", with: .json(#"{"titles": ["a", "b"], "next": "/books?page=2"}"#))
        run.transport.answer(.get, "/books?page=2", with: .json(#"{"titles": ["c"], "next": null}"#))
        run.transport.answer(.get, "/check/3/c", with: .response(200))
        #expect(await run.outcomes() == ["all passed: GET /books passed, GET /books?page=2 passed, check passed"])
    }

    @Test("The first iteration runs without the condition, so that a cursor may be missing in its request")
    func cursor() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: all
                variables: { cursor: null }
                request: { url: /books, query: { cursor: "${cursor}" } }
                capture: { cursor: $.cursor }
                while: cursor != null
            """)
        run.transport.answer(.get, "/books", with: .json(#"{"cursor": "x"}"#))
        run.transport.answer(.get, "/books?cursor=x", with: .json(#"{"cursor": null}"#))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed])
        #expect(run.requests == ["GET /books", "GET /books?cursor=x"])
    }

    @Test("A group is repeated as a whole")
    func group() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: all
                steps:
                  - name: page
                    while: more
                    variables: { page: 1 }
                    steps:
                      - { name: read, request: "GET /books/${page}", capture: { more: $.more } }
                      - { name: check, request: "GET /check/${page}", capture: { page: "${page + 1}" } }
                  - { name: end, request: "GET /end/${page}" }
            """)
        run.transport.answer(.get, "/books/1", with: .json(#"{"more": true}"#))
        run.transport.answer(.get, "/books/2", with: .json(#"{"more": false}"#))
        run.transport.answer(with: .response(200))
        #expect(
            await run.outcomes() == [
                "all passed: page [1] › read passed, page [1] › check passed, page [2] › read passed, "
                    + "page [2] › check passed, end passed"
            ])
        #expect(run.requests == ["GET /books/1", "GET /check/1", "GET /books/2", "GET /check/2", "GET /end/3"])
    }

    @Test("A condition that still holds after the maximum number of iterations is a failure that says so")
    func bound() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: endless
                steps:
                  - { name: page, request: GET /books, while: { condition: "1 < 2", times: 3 } }
                  - { name: next, request: GET /next }
            """)
        run.transport.answer(with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed])
        #expect(results[0].steps.map(\.name) == ["page [1]", "page [2]", "page [3]", "page", "next"])
        #expect(
            results[0].messages == ["while: stopped after 3 iterations, the maximum, but the condition still holds"])
        #expect(run.requests.count == 3)
    }

    @Test("The maximum number of iterations is 100 unless the suite sets another")
    func standardBound() async throws {
        let run = try ScriptedRun("tests: [{ name: endless, request: GET /books, while: 1 < 2 }]")
        run.transport.answer(with: .response(200))
        #expect(await run.results().map(\.outcome) == [.failed])
        #expect(run.requests.count == 100)
    }

    @Test("A failed or skipped iteration ends the loop, also with `continue`")
    func ends() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: failed
                steps:
                  - { name: page, continue: true, request: GET /failed, while: 1 < 2 }
                  - { name: next, request: GET /next }
              - { name: skipped, steps: [{ name: page, if: 1 > 2, request: GET /never, while: 1 < 2 }] }
              - { name: wrong, variables: { nothing: {} }, request: GET /next, while: nothing.here }
            """)
        run.transport.answer(.get, "/failed", with: .response(500))
        run.transport.answer(with: .response(200))
        let results = await run.results()
        #expect(results.map(\.steps.count) == [2, 1, 2])
        #expect(results[2].outcome == .errored)
        #expect(results[2].steps[1].findings.map(\.subject) == ["while"])
        #expect(run.requests == ["GET /failed", "GET /next", "GET /next"])
    }

    @Test("Each loop starts with the variables of its step, regardless of previous captures")
    func twoLoops() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: one
                variables: { next: /a }
                request: GET ${next}
                while: next != null
                capture: { next: { json: $.next, default: null } }
              - name: two
                steps:
                  - { request: "GET ${next}", variables: { next: /b }, while: next != null, capture: { next: { json: $.next, default: null } } }
                  - { request: "GET ${next}", variables: { next: /c }, while: next != null, capture: { next: { json: $.next, default: null } } }
            """)
        run.transport.answer(.get, "/a", with: .json(#"{"next": "/a2"}"#))
        run.transport.answer(.get, "/b", with: .json(#"{"next": "/b2"}"#))
        run.transport.answer(with: .json("{}"))
        #expect(await run.results().map(\.outcome) == [.passed, .passed])
        #expect(run.requests == ["GET /a", "GET /a2", "GET /b", "GET /b2", "GET /c"])
    }
}
