import HTTPSession
import RunModel
import Testing

@testable import Runner

@Testing.Suite("A group of steps")
struct GroupRunnerTests {
    private static let second: Int64 = 1_000_000_000

    @Test("The steps of a group see its variables, and later steps see its captures")
    func plain() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: order
                steps:
                  - name: buy
                    variables: { shop: books, item: "${shop}-1" }
                    steps:
                      - { name: add, request: "POST /${item}", capture: { id: $.id } }
                      - { request: "GET /${shop}/${id}", variables: { shop: orders } }
                  - steps: [{ name: pay, request: "POST /pay/${id}" }]
                  - { name: done, request: "GET /done/${id}" }
            """)
        run.transport.answer(.post, "/books-1", with: .json(#"{"id": 7}"#))
        run.transport.answer(with: .response(200))
        #expect(
            await run.outcomes() == [
                "order passed: buy › add passed, buy › GET /${shop}/${id} passed, pay passed, done passed"
            ])
        #expect(run.requests == ["POST /books-1", "GET /orders/7", "POST /pay/7", "GET /done/7"])
    }

    @Test("A failed step ends its group and the test, unless the group has `continue`", arguments: [true, false])
    func failure(continues: Bool) async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - name: group
                    continue: \(continues)
                    steps:
                      - { name: first, request: GET /first, capture: { id: $.id } }
                      - { name: second, request: "GET /second/${id}" }
                  - { name: last, request: GET /last }
            """)
        run.transport.answer(.get, "/first", with: .response(500))
        run.transport.answer(with: .response(200))
        #expect(
            await run.outcomes() == [
                "a failed: group › first failed, group › second skipped (group › first failed), "
                    + (continues ? "last passed" : "last skipped (group › first failed)")
            ])
    }

    @Test("`if` and `skip` of a group leave out all of its steps, and the steps that use their captures")
    func conditions() async throws {
        let run = try ScriptedRun(
            """
            variables: { wants: false }
            tests:
              - name: a
                steps:
                  - { name: one, if: wants, steps: [{ request: POST /a, capture: { id: $.id } }] }
                  - { name: two, skip: later, steps: [{ request: POST /b }, { request: POST /c }] }
                  - { name: three, request: "GET /a/${id}" }
                  - { name: four, request: GET /d }
            """)
        run.transport.answer(with: .response(200))
        #expect(
            await run.outcomes() == [
                "a passed: one skipped (if: wants is false), two skipped (later), "
                    + "three skipped (\"id\" was not captured), four passed"
            ])
    }

    @Test("`forEach` runs the group for each element, and its captures are lists after it")
    func forEach() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - name: shelf ${item.name}
                    forEach: [{ name: a, books: [1, 2] }, { name: b, books: [3] }]
                    steps:
                      - { name: make, request: "POST /${item.name}", capture: { id: $.id } }
                      - { name: put, forEach: { in: "${item.books}", as: book }, request: "PUT /${id}/${book}", capture: { put: $.n } }
                  - { name: all, request: "GET /${id[0]}${id[1]}/${put[0][1]}${put[1][0]}" }
            """)
        run.transport.answer(.post, "/a", with: .json(#"{"id": "x"}"#))
        run.transport.answer(.post, "/b", with: .json(#"{"id": "y"}"#))
        run.transport.answer(.put, "/x/1", with: .json(#"{"n": 1}"#))
        run.transport.answer(.put, "/x/2", with: .json(#"{"n": 2}"#))
        run.transport.answer(.put, "/y/3", with: .json(#"{"n": 3}"#))
        run.transport.answer(.get, "/xy/23", with: .response(200))
        #expect(
            await run.outcomes() == [
                "a passed: shelf a › make passed, shelf a › put [1] passed, shelf a › put [2] passed, "
                    + "shelf b › make passed, shelf b › put [1] passed, all passed"
            ])
    }

    @Test("`retry` repeats the whole group without the captures of the failed attempt")
    func retry() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - name: buy
                    retry: { times: 2, delay: 1s }
                    steps:
                      - { name: cart, request: POST /cart, capture: { id: $.id } }
                      - { name: pay, request: "POST /pay/${id}" }
                  - { name: see, request: "GET /see/${id}" }
            """)
        run.transport.answer(.post, "/cart", with: .json(#"{"id": 1}"#), .json(#"{"id": 2}"#))
        run.transport.answer(.post, "/pay/1", with: .response(409))
        run.transport.answer(with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.flaky])
        #expect(results[0].steps.map(\.outcome) == [.passed, .flaky, .passed])
        #expect(run.requests == ["POST /cart", "POST /pay/1", "POST /cart", "POST /pay/2", "GET /see/2"])
        #expect(run.waits == [Self.second])
    }

    @Test("`until` repeats the group until the condition holds after it")
    func until() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - name: drain
                    until: { assert: left == 0, every: 5s, times: 4 }
                    steps:
                      - { name: work, request: POST /work }
                      - { name: ask, request: GET /left, capture: { left: $.n } }
                  - { name: end, request: "GET /end/${left}" }
            """)
        run.transport.answer(.get, "/left", with: .json(#"{"n": 2}"#), .json(#"{"n": 1}"#), .json(#"{"n": 0}"#))
        run.transport.answer(with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed])
        #expect(results[0].steps.map(\.name) == ["drain › work", "drain › ask", "drain", "end"])
        #expect(results[0].steps[2].polls == 3)
        #expect(run.requests.filter { $0 == "POST /work" }.count == 3)
        #expect(run.waits == [5 * Self.second, 5 * Self.second])
    }

    @Test("`until` of a group fails after its number of repetitions, on `abort`, and with a failed step")
    func untilFails() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: too few
                steps: [{ name: g, until: { assert: n == 0, times: 2 }, steps: [{ request: GET /n, capture: { n: $.n } }] }]
              - name: aborted
                steps: [{ name: g, until: { assert: n == 0, abort: { assert: n > 0 } }, steps: [{ request: GET /n, capture: { n: $.n } }] }]
              - name: failed
                steps: [{ name: g, until: { assert: 1 > 2 }, steps: [{ request: GET /failed }] }]
            """)
        run.transport.answer(.get, "/n", with: .json(#"{"n": 1}"#))
        run.transport.answer(.get, "/failed", with: .response(500))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.failed, .failed, .failed])
        #expect(results[0].messages.first == "until: polled 2 times, the maximum, but the condition did not hold")
        #expect(results[1].messages.first == "abort: polled once, then the captures met the abort condition")
        #expect(results[2].steps.map(\.name) == ["g › GET /failed"])
        #expect(run.requests == ["GET /n", "GET /n", "GET /n", "GET /failed"])
    }

    @Test("The timeout of a group ends its current step, and the test")
    func timeout() async throws {
        let run = try ScriptedRun(
            """
            tests:
              - name: a
                steps:
                  - name: g
                    timeout: 3s
                    steps: [{ name: wait, request: GET /slow }, { name: next, request: GET /next }]
                  - { name: last, request: GET /last }
            """)
        run.transport.answer(with: .never)
        let results = await run.results()
        #expect(results.map(\.outcome) == [.errored])
        #expect(results[0].messages.count == 1)
        #expect(results[0].messages.first?.hasPrefix("timeout: the step's timeout of 3s expired") == true)
        #expect(!run.requests.contains("GET /next") && !run.requests.contains("GET /last"))
    }

    @Test("A group in a fragment returns its captures as outputs")
    func fragment() async throws {
        let run = try ScriptedRun(
            """
            fragments:
              make:
                parameters: [kinds]
                outputs: [ids]
                steps:
                  - forEach: { in: "${kinds}", as: kind }
                    steps:
                      - { request: "POST /${kind}", capture: { id: $.id } }
                      - { request: "GET /${kind}/${id}", capture: { ids: $.id } }
            tests:
              - name: a
                steps:
                  - { name: all, call: make, with: { kinds: [a, b] } }
                  - { request: "GET /${ids[0]}${ids[1]}" }
            """)
        run.transport.answer(.post, "/a", with: .json(#"{"id": 1}"#))
        run.transport.answer(.post, "/b", with: .json(#"{"id": 2}"#))
        run.transport.answer(.get, "/a/1", with: .json(#"{"id": "x"}"#))
        run.transport.answer(.get, "/b/2", with: .json(#"{"id": "y"}"#))
        run.transport.answer(.get, "/xy", with: .response(200))
        let results = await run.results()
        #expect(results.map(\.outcome) == [.passed])
        #expect(
            results[0].steps.map(\.name) == [
                "all › group [1] › POST /${kind}", "all › group [1] › GET /${kind}/${id}",
                "all › group [2] › POST /${kind}", "all › group [2] › GET /${kind}/${id}", "GET /${ids[0]}${ids[1]}",
            ])
    }
}
