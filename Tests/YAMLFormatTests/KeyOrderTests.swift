import Testing
import YAMLFormat

/// Tests of the order of known keys.
struct KeyOrderTests {
    static let formatter = YAMLFormatter(
        order: KeyOrder(maps: [
            "suite": KeyOrder.Map(
                keys: [
                    ("name", .any), ("baseURL", .any), ("variables", .members(.any)), ("tests", .list(.map("test"))),
                ],
                isSorted: true),
            "test": KeyOrder.Map(
                keys: [
                    ("name", .any), ("tags", .any), ("request", .choice([.any, .map("request")])),
                    ("expect", .map("expect")),
                ], isSorted: true),
            "request": KeyOrder.Map(keys: [("method", .any), ("url", .any), ("json", .any)], isSorted: true),
            "expect": KeyOrder.Map(keys: [("status", .any), ("json", .any)], isSorted: false),
        ]))

    static let cases: [YAMLFormatterTests.Case] = [
        .init("keys of the root", "tests: []\nname: a\n", "name: a\ntests: []\n"),
        .init(
            "keys of elements", "tests:\n  - request: GET /\n    name: a\n", "tests:\n  - name: a\n    request: GET /\n"
        ),
        .init(
            "comments go with their keys",
            "tests:\n  - request: GET / # r\n    # of the name\n    name: a # n\n    # end\n",
            "tests:\n  - # of the name\n    name: a # n\n    request: GET / # r\n    # end\n"),
        .init("blank lines stay", "tests: []\n\nname: a\n", "name: a\n\ntests: []\n"),
        .init(
            "what is about the file stays first",
            "# yaml-language-server: $schema=x\n# about tests\ntests: []\nname: a\n",
            "# yaml-language-server: $schema=x\nname: a\n# about tests\ntests: []\n"),
        .init(
            "what a blank line parts from the first key stays first", "# about\n\n# tests\ntests: []\nname: a\n",
            "# about\n\nname: a\n# tests\ntests: []\n"),
        .init(
            "unknown keys stay behind what they follow", "x-a: 1\ntests: []\nx-b: 2\nname: a\nx-c: 3\n",
            "x-a: 1\nname: a\nx-c: 3\ntests: []\nx-b: 2\n"),
        .init(
            "free keys stay", "variables: { b: 1, a: 2 }\ntests:\n  - request: { json: { url: 1, method: 2 } }\n"),
        .init("maps that are not sorted", "tests:\n  - expect: { json: {}, status: 200 }\n"),
        .init(
            "in braces on one line", "tests:\n- {request: {url: /, method: GET}, name: a}\n",
            "tests:\n  - { name: a, request: { method: GET, url: / } }\n"),
        .init(
            "in braces with a line break that is dropped", "tests:\n  - { request: {\n    }, name: a }\n",
            "tests:\n  - { name: a, request: {} }\n"),
        .init(
            "not in braces on several lines", "tests:\n  - { request: GET /,\n      name: a }\n"),
        .init(
            "known keys lose their quotes",
            "'tests':\n  - \"name\": \"a\"\n    \"expect\": { 'status': 200, json: { \"a\": 1 } }\n",
            "tests:\n  - name: \"a\"\n    expect: { status: 200, json: { \"a\": 1 } }\n"),
        .init("anchors come before their aliases", "tests: &x []\nname: *x\n"),
        .init(
            "aliases of anchors elsewhere", "x-a: &x 1\ntests: *x\nname: *x\n", "x-a: &x 1\nname: *x\ntests: *x\n"),
        .init("an anchor given twice", "tests: &x 1\nx-a: &x 2\nname: 3\n", "name: 3\ntests: &x 1\nx-a: &x 2\n"),
        .init(
            "blocks move as a whole", "tests:\n  - request:\n      json: |+\n        one\n\n      url: /\n    name: a",
            "tests:\n  - name: a\n    request:\n      url: /\n      json: |+\n        one\n\n"),
        .init(
            "no blank line joins a block that keeps them",
            "variables:\n  a: |+\n    one\n\nname: b\n\ntests: []\n",
            "name: b\nvariables:\n  a: |+\n    one\n\ntests: []\n"),
        .init(
            "a block that the file's end ends", "tests:\n  - request: /\n    name: |\n      a",
            "tests:\n  - name: |-\n      a\n    request: /\n"),
    ]

    @Test(arguments: cases)
    func sorted(_ example: YAMLFormatterTests.Case) throws {
        let layouts = [NodeLayout.map("suite")]
        let result = try YAMLFormatterTests.format(example.before, Self.formatter, layouts)
        #expect(result == example.after)
        #expect(
            try YAMLFormatterTests.format(result, Self.formatter, layouts) == result,
            "formatting again changed the text")
    }

    /// Documents without a layout have unordered keys.
    @Test func onlyDocumentsWithALayout() throws {
        let text = "tests: []\nname: a\n---\ntests: []\nname: a\n"
        #expect(
            try YAMLFormatterTests.format(text, Self.formatter, [.map("suite")])
                == "name: a\ntests: []\n---\ntests: []\nname: a\n")
    }
}
