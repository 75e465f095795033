import Testing

/// Tests of errors in expectations, with their exact messages.
@Suite("Expectation diagnostics")
struct ExpectDiagnosticsTests {
    @Test(arguments: Self.cases)
    func problems(_ suite: BadSuite) {
        #expect(suite.rendered == suite.expected)
    }

    static let cases: [BadSuite] = [
        BadSuite(
            "an invalid status",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: 2x }]
                """#,
            expected: #"""
                a.yaml:2:44: error: "2x" is not a status [invalid-status]
                    2 │ tests: [{ name: a, request: GET /, expect: 2x }]
                      │                                            ^^ for example, write 200, 2xx or 200-204
                """#),
        BadSuite(
            "an operator for one value beside all values of a header",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { headers: { Via: { all: a, contains: b } } } }]
                """#,
            expected: #"""
                a.yaml:2:72: error: "contains" does not apply to all values of a header [invalid-operator]
                    2 │ tests: [{ name: a, request: GET /, expect: { headers: { Via: { all: a, contains: b } } } }]
                      │                                                                        ^^^^^^^^ beside "all", write length, not, any, none, includes, unique, sorted
                """#),
        BadSuite(
            "statuses with an invalid one",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { status: [200, 3xx, 99, 204-200] } }]
                """#,
            expected: #"""
                a.yaml:2:65: error: "99" is not a status [invalid-status]
                    2 │ tests: [{ name: a, request: GET /, expect: { status: [200, 3xx, 99, 204-200] } }]
                      │                                                                 ^^ for example, write 200, 2xx or 200-204

                a.yaml:2:69: error: "204-200" is not a status [invalid-status]
                    2 │ tests: [{ name: a, request: GET /, expect: { status: [200, 3xx, 99, 204-200] } }]
                      │                                                                     ^^^^^^^ for example, write 200, 2xx or 200-204
                """#),
        BadSuite(
            "operands of a status matcher that match no status",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                """#,
            expected: #"""
                a.yaml:6:22: error: "OK" is not a status [invalid-status]
                    6 │       status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                      │                      ^^ for example, write 200, 2xx or 200-204

                a.yaml:6:39: error: "99" is not a status [invalid-status]
                    6 │       status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                      │                                       ^^ for example, write 200, 2xx or 200-204

                a.yaml:6:53: error: expected a status, got null [wrong-type]
                    6 │       status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                      │                                                     ^^^^ for example, write 200, 2xx or 200-204

                a.yaml:6:65: error: a status can be compared only with a number, not with "5xx" [invalid-operand]
                    6 │       status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                      │                                                                 ^^^ write a number such as 500

                a.yaml:6:73: error: "startsWith" does not apply to a status [invalid-operator]
                    6 │       status: { not: OK, oneOf: [2xx, 99], either: [null, { lt: 5xx }], startsWith: 5 }
                      │                                                                         ^^^^^^^^^^ for example, write 2xx, or use not, oneOf, lt, gte or between
                """#),
        BadSuite(
            "an invalid JSONPath",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      json:
                        $.items[0: 1
                        "$.items[?(@.a =)]": 2
                """#,
            expected: #"""
                a.yaml:7:18: error: expected "," or "]" after the selector, found the end of the JSONPath [invalid-jsonpath]
                    7 │         $.items[0: 1
                      │                  ^

                a.yaml:8:24: error: "=" is not an operator; for equality, write == [invalid-jsonpath]
                    8 │         "$.items[?(@.a =)]": 2
                      │                        ^
                """#),
        BadSuite(
            "a JSONPath without a root",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { items.id: 1 } } }]
                """#,
            expected: #"""
                a.yaml:2:54: error: a JSONPath must start with "$" [invalid-jsonpath]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { items.id: 1 } } }]
                      │                                                      ^ write "$.items.id"
                """#),
        BadSuite(
            "an unknown operator",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $.id: { contain: a } } } }]
                """#,
            expected: #"""
                a.yaml:2:62: error: unknown operator "contain" [unknown-operator]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $.id: { contain: a } } } }]
                      │                                                              ^^^^^^^ did you mean "contains"?
                      = note: to compare with an object, write it under "equals", or under "like" to match a part of it
                """#),
        BadSuite(
            "an operator from another tool",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $.id: { regex: a } } } }]
                """#,
            expected: #"""
                a.yaml:2:62: error: "regex" selects a part of the string, but no operator checks it [missing-operator]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $.id: { regex: a } } } }]
                      │                                                              ^^^^^ did you mean "matches"?
                """#),
        BadSuite(
            "filters without an operator, and a pattern for other values than strings",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      status: { regex: 2.., gte: 200 }
                      json: { $.a: { as: integer }, $.b: { regex: a, as: integer }, $.c: { as: int, gt: 1 } }
                    capture: { code: { status: true, regex: a } }
                """#,
            expected: #"""
                a.yaml:6:17: error: "regex" does not apply to a status [invalid-operator]
                    6 │       status: { regex: 2.., gte: 200 }
                      │                 ^^^^^ for example, write 2xx, or use not, oneOf, lt, gte or between

                a.yaml:7:22: error: "as" converts the value, but no operator checks it [missing-operator]
                    7 │       json: { $.a: { as: integer }, $.b: { regex: a, as: integer }, $.c: { as: int, gt: 1 } }
                      │                      ^^ add an operator such as "gt", or write "type"

                a.yaml:7:44: error: "regex" selects a part of the string, but no operator checks it [missing-operator]
                    7 │       json: { $.a: { as: integer }, $.b: { regex: a, as: integer }, $.c: { as: int, gt: 1 } }
                      │                                            ^^^^^ add an operator such as "gt", or write "matches" alone

                a.yaml:7:80: error: unknown value "int" [unknown-value]
                    7 │       json: { $.a: { as: integer }, $.b: { regex: a, as: integer }, $.c: { as: int, gt: 1 } }
                      │                                                                                ^^^ write integer, number, string or boolean

                a.yaml:8:45: error: "regex" requires a string, but the status is a number [invalid-capture]
                    8 │     capture: { code: { status: true, regex: a } }
                      │                                             ^ remove "regex"
                """#),
        BadSuite(
            "a matcher among the members of its object",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect: { body: { like: { a: [{ $match: { typ: string }, id: 1 }] } } }
                """#,
            expected: #"""
                a.yaml:5:37: error: "$match" must be the only key of its mapping [conflicting-keys]
                    5 │     expect: { body: { like: { a: [{ $match: { typ: string }, id: 1 }] } } }
                      │                                     ^^^^^^ move the other key into the matcher, or out of the mapping
                a.yaml:5:62: note: the other key is here
                    5 │     expect: { body: { like: { a: [{ $match: { typ: string }, id: 1 }] } } }
                      │                                                              ^^

                a.yaml:5:47: error: unknown operator "typ" [unknown-operator]
                    5 │     expect: { body: { like: { a: [{ $match: { typ: string }, id: 1 }] } } }
                      │                                               ^^^ did you mean "type"?
                      = note: to compare with an object, write it under "equals", or under "like" to match a part of it
                """#),
        BadSuite(
            "an object without equals",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      json:
                        $.book: { title: Dune, author: Herbert }
                """#,
            expected: #"""
                a.yaml:7:19: error: unknown operator "title" [unknown-operator]
                    7 │         $.book: { title: Dune, author: Herbert }
                      │                   ^^^^^ to compare with an object, write it under "equals", or under "like" to match a part of it
                """#),
        BadSuite(
            "an expression in a schema",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $: { schema: { const: "${status}" } } } } }]
                """#,
            expected: #"""
                a.yaml:2:76: error: a schema cannot contain an expression because it is compiled before the run [expression-not-allowed]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $: { schema: { const: "${status}" } } } } }]
                      │                                                                            ^^^^^^^^^^^ check the computed value with a matcher next to the schema, or write "$${" for a literal "${"
                """#),
        BadSuite(
            "an invalid schema",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $: { schema: [string] } } } }]
                """#,
            expected: #"""
                a.yaml:2:67: error: "schema" must be a schema or the path of a schema, got a sequence [wrong-type]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $: { schema: [string] } } } }]
                      │                                                                   ^^^^^^^^
                """#),
        BadSuite(
            "no operator",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $: {} } } }]
                """#,
            expected: #"""
                a.yaml:2:57: error: a matcher needs an operator [missing-operator]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $: {} } } }]
                      │                                                         ^^ write { equals: {} } to compare with an empty object
                """#),
        BadSuite(
            "an unknown type",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $.a: { type: int }, $.b: { type: [string, nul] } } } }]
                """#,
            expected: #"""
                a.yaml:2:67: error: unknown type "int" [unknown-type]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $.a: { type: int }, $.b: { type: [string, nul] } } } }]
                      │                                                                   ^^^ did you mean "integer"?

                a.yaml:2:96: error: unknown type "nul" [unknown-type]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $.a: { type: int }, $.b: { type: [string, nul] } } } }]
                      │                                                                                                ^^^ did you mean "null"?
                """#),
        BadSuite(
            "an invalid regular expression",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { headers: { Location: { matches: '^/books/(\d+$' } } } }]
                """#,
            expected: #"""
                a.yaml:2:87: error: unterminated group: expected ")" [invalid-pattern]
                    2 │ tests: [{ name: a, request: GET /, expect: { headers: { Location: { matches: '^/books/(\d+$' } } } }]
                      │                                                                                       ^
                """#),
        BadSuite(
            "a regular expression with an undefined back-reference",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { body: { matches: '(a)\2' } } }]
                """#,
            expected: #"""
                a.yaml:2:67: error: unknown group 2; the pattern has 1 group [invalid-pattern]
                    2 │ tests: [{ name: a, request: GET /, expect: { body: { matches: '(a)\2' } } }]
                      │                                                                   ^^
                """#),
        BadSuite(
            "between with three operands",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $.a: { between: [1, 2, 3] }, $.b: { between: [5, 1] } } } }]
                """#,
            expected: #"""
                a.yaml:2:70: error: "between" needs two values, got 3 [invalid-operand]
                    2 │ …ts: [{ name: a, request: GET /, expect: { json: { $.a: { between: [1, 2, 3] }, $.b: { between: [5, 1] } } } }]
                      │                                                                    ^^^^^^^^^ write [minimum, maximum]

                a.yaml:2:99: error: no value is between 5 and 1 [invalid-operand]
                    2 │ …ts: [{ name: a, request: GET /, expect: { json: { $.a: { between: [1, 2, 3] }, $.b: { between: [5, 1] } } } }]
                      │                                                                                                 ^^^^^^ write the minimum first
                """#),
        BadSuite(
            "operands of the wrong type",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      json:
                        $.a: { gt: "5" }
                        $.b: { exists: 1 }
                        $.c: { oneOf: red }
                        $.d: { length: long }
                        $.e: { sorted: asc }
                        $.f: { closeTo: { value: 1 } }
                        $.g: { after: yesterday }
                        $.h: { gt: 2026-01-01 }
                        $.i: { within: { of: 2026-01-01T00:00:00Z, amount: 5 } }
                """#,
            expected: #"""
                a.yaml:7:20: error: expected a number, got a string [wrong-type]
                    7 │         $.a: { gt: "5" }
                      │                    ^^^ write it without quotes

                a.yaml:8:24: error: "exists" must be a boolean, got an integer [wrong-type]
                    8 │         $.b: { exists: 1 }
                      │                        ^

                a.yaml:9:23: error: "oneOf" must be a sequence, got a string [wrong-type]
                    9 │         $.c: { oneOf: red }
                      │                       ^^^ write [red]

                a.yaml:10:24: error: expected an integer or a mapping of operators, got a string [wrong-type]
                   10 │         $.d: { length: long }
                      │                        ^^^^

                a.yaml:11:24: error: "sorted" must be true, ascending or descending [invalid-operand]
                   11 │         $.e: { sorted: asc }
                      │                        ^^^ did you mean "ascending"?

                a.yaml:12:27: error: "closeTo" needs "within" [missing-key]
                   12 │         $.f: { closeTo: { value: 1 } }
                      │                           ^^^^^ add "within: …"

                a.yaml:13:23: error: "yesterday" is not a date-time [invalid-operand]
                   13 │         $.g: { after: yesterday }
                      │                       ^^^^^^^^^ for example, write 2026-01-31T12:00:00Z

                a.yaml:14:20: error: "2026-01-01" would be compared as a string, not as a date [invalid-operand]
                   14 │         $.h: { gt: 2026-01-01 }
                      │                    ^^^^^^^^^^ use "before", "after" or "within"

                a.yaml:15:60: error: a duration needs a unit [invalid-duration]
                   15 │         $.i: { within: { of: 2026-01-01T00:00:00Z, amount: 5 } }
                      │                                                            ^ for example, write "5s"
                """#),
        BadSuite(
            "a number without a unit as a duration",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { duration: { lt: 2 } } }]
                """#,
            expected: #"""
                a.yaml:2:62: error: a duration needs a unit [invalid-duration]
                    2 │ tests: [{ name: a, request: GET /, expect: { duration: { lt: 2 } } }]
                      │                                                              ^ for example, write "2s"
                """#),
        BadSuite(
            "text operators on a duration",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { duration: { contains: 2s }, size: { gt: 1 KB } } }]
                """#,
            expected: #"""
                a.yaml:2:58: error: "contains" does not apply to a duration [invalid-operator]
                    2 │ tests: [{ name: a, request: GET /, expect: { duration: { contains: 2s }, size: { gt: 1 KB } } }]
                      │                                                          ^^^^^^^^ use lt, lte, gt, gte or between

                a.yaml:2:86: error: a size must not contain spaces [invalid-size]
                    2 │ tests: [{ name: a, request: GET /, expect: { duration: { contains: 2s }, size: { gt: 1 KB } } }]
                      │                                                                                      ^^^^ write "1KB"
                """#),
        BadSuite(
            "an exact duration",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { duration: 2s } }]
                """#,
            expected: #"""
                a.yaml:2:56: warning: a duration is almost never exactly 2s [never-equal]
                    2 │ tests: [{ name: a, request: GET /, expect: { duration: 2s } }]
                      │                                                        ^^ write { lt: 2s }
                """#),
        BadSuite(
            "a header that is null",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { headers: { Location: null } } }]
                """#,
            expected: #"""
                a.yaml:2:67: error: a header is a string and never null [wrong-type]
                    2 │ tests: [{ name: a, request: GET /, expect: { headers: { Location: null } } }]
                      │                                                                   ^^^^ write { exists: false } for a header that must not exist
                """#),
        BadSuite(
            "attributes of a cookie",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { cookies: { id: { value: a, paht: / } } } }]
                """#,
            expected: #"""
                a.yaml:2:73: error: unknown key "paht" [unknown-key]
                    2 │ tests: [{ name: a, request: GET /, expect: { cookies: { id: { value: a, paht: / } } } }]
                      │                                                                         ^^^^ did you mean "path"?
                """#),
        BadSuite(
            "comparisons of text, numbers and dates",
            suite: #"""
                baseURL: http://localhost
                tests:
                  - name: a
                    request: GET /
                    expect:
                      json:
                        $.a: { gt: abc, between: [a, 1] }
                        $.b: { between: [b, a] }
                        $.c: { lt: true }
                        $.d: { lte: 2026-01-01T00:00:00Z }
                        $.e: { closeTo: { value: 2026-01-01, within: 5 } }
                        $.f: { closeTo: { value: 2026-01-01, within: 2 days } }
                        $.g: { closeTo: { value: 5, within: 1s } }
                        $.h: { closeTo: { value: "5", within: 1 } }
                        $.i: { closeTo: { value: abc, within: 1 } }
                        $.j: { closeTo: { value: "${1}", within: abc } }
                """#,
            expected: #"""
                a.yaml:7:34: error: "between" needs two numbers or two strings [invalid-operand]
                    7 │         $.a: { gt: abc, between: [a, 1] }
                      │                                  ^^^^^^

                a.yaml:8:25: error: no value is between b and a [invalid-operand]
                    8 │         $.b: { between: [b, a] }
                      │                         ^^^^^^ write the minimum first

                a.yaml:9:20: error: "lt" must be a number or string, got a boolean [wrong-type]
                    9 │         $.c: { lt: true }
                      │                    ^^^^

                a.yaml:10:21: error: "2026-01-01T00:00:00Z" would be compared as a string, not as a date [invalid-operand]
                   10 │         $.d: { lte: 2026-01-01T00:00:00Z }
                      │                     ^^^^^^^^^^^^^^^^^^^^ use "before", "after" or "within"

                a.yaml:11:54: error: a duration needs a unit [invalid-duration]
                   11 │         $.e: { closeTo: { value: 2026-01-01, within: 5 } }
                      │                                                      ^ for example, write "5s"

                a.yaml:12:54: error: unknown unit "days" of a duration [invalid-duration]
                   12 │         $.f: { closeTo: { value: 2026-01-01, within: 2 days } }
                      │                                                      ^^^^^^ write "2d"

                a.yaml:13:45: error: expected a number, got a string [wrong-type]
                   13 │         $.g: { closeTo: { value: 5, within: 1s } }
                      │                                             ^^ write the maximum distance as a number

                a.yaml:14:34: error: expected a number or a date-time, got a string [wrong-type]
                   14 │         $.h: { closeTo: { value: "5", within: 1 } }
                      │                                  ^^^ write it without quotes

                a.yaml:15:34: error: expected a number or a date-time, got a string [wrong-type]
                   15 │         $.i: { closeTo: { value: abc, within: 1 } }
                      │                                  ^^^

                a.yaml:16:50: error: "abc" is not a duration [invalid-duration]
                   16 │         $.j: { closeTo: { value: "${1}", within: abc } }
                      │                                                  ^^^ for example, write 250ms, 2s or 1m30s
                """#),
        BadSuite(
            "a type that is not a word",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { json: { $.c: { type: 5 } } } }]
                """#,
            expected: #"""
                a.yaml:2:67: error: "type" must be one of string, number, integer, … or a sequence, got an integer [wrong-type]
                    2 │ tests: [{ name: a, request: GET /, expect: { json: { $.c: { type: 5 } } } }]
                      │                                                                   ^
                """#),
        BadSuite(
            "operators among the keys of expect",
            suite: #"""
                baseURL: http://localhost
                tests: [{ name: a, request: GET /, expect: { gte: 200 } }]
                """#,
            expected: #"""
                a.yaml:2:46: error: unknown key "gte" [unknown-key]
                    2 │ tests: [{ name: a, request: GET /, expect: { gte: 200 } }]
                      │                                              ^^^ write it under "status"
                """#),
    ]
}
