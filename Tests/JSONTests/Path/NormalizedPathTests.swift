import JSON
import Testing

struct NormalizedPathTests {
    @Test(
        arguments: [
            ([], "$", "$"), ([.name("a"), .index(2), .name("b")], "$['a'][2]['b']", "$.a[2].b"),
            ([.name("a b")], "$['a b']", "$['a b']"), ([.name("")], "$['']", "$['']"),
            ([.name("1a")], "$['1a']", "$['1a']"),
            ([.name("_a1")], "$['_a1']", "$._a1"), ([.name("\u{E9}")], "$['\u{E9}']", "$.\u{E9}"),
            ([.name("it's\\\n\u{1}")], "$['it\\'s\\\\\\n\\u0001']", "$['it\\'s\\\\\\n\\u0001']"),
            ([.name("\u{8}\u{C}\r\t\"\u{1F}")], "$['\\b\\f\\r\\t\"\\u001f']", "$['\\b\\f\\r\\t\"\\u001f']"),
        ] as [([NormalizedPath.Step], String, String)])
    func texts(_ steps: [NormalizedPath.Step], _ normalized: String, _ shorthand: String) {
        let path = NormalizedPath(steps)
        #expect(path.description == normalized)
        #expect(path.shorthand == shorthand)
    }
}
