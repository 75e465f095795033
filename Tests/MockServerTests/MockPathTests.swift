import Basics
import SuiteModel
import Testing

@Suite struct MockPathTests {
    @Test(
        arguments: [
            ("/", "/", [:]),
            ("/books", "/books", [:]),
            ("/books/{id}", "/books/7", ["id": "7"]),
            ("/a%20b/{x}", "/a b/c/d", nil),
            ("/a%20b/{x}", "/a b/c", ["x": "c"]),
            ("/books/{id}", "/books/", nil),
            ("/books/{id}.json", "/books/7.json", ["id": "7"]),
            ("/books/{id}.json", "/books/.json", nil),
            ("/books/v{major}", "/books/v2", ["major": "2"]),
            ("/books", "/books/", nil),
            ("/books/*", "/books/7", [:]),
            ("/books/*", "/books/", nil),
            ("/books/*", "/books/7/cover", nil),
            ("/report-*.csv", "/report-2026.csv", [:]),
            ("/report-*.csv", "/report-2026.tsv", nil),
            ("/a*b*c", "/aXbYbc", [:]),
            ("/a*b*c", "/aXc", nil),
            ("/ab*ba", "/aba", nil),
            ("/**", "/", [:]),
            ("/files/**", "/files", [:]),
            ("/files/**", "/files/a/b/c", [:]),
            ("/files/**", "/file/a", nil),
            ("/files/**/{name}", "/files/a/b/c", ["name": "c"]),
            ("/files/**/{name}", "/files", nil),
            ("/{a}/**/{b}", "/1/2/3/4", ["a": "1", "b": "4"]),
        ] as [(String, String, [String: String]?)])
    func matches(_ pattern: String, _ path: String, _ expected: [String: String]?) throws {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let found = try MockPath(pattern).match(segments)
        #expect(found.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.name, $0.value) }) } == expected)
    }

    @Test(arguments: [
        ("books", 0, 5, "start with"),
        ("", 0, 1, "start with"),
        ("/a/{id", 3, 1, "unmatched \"{\""),
        ("/a/id}", 5, 1, "unmatched \"}\""),
        ("/a/{}", 3, 2, "name in braces"),
        ("/a/{1d}", 3, 4, "name in braces"),
        ("/a/{b}{c}", 6, 1, "one parameter"),
        ("/{a}/{a}", 5, 3, "two parameters"),
        ("/a/**/b/**", 8, 2, "only once"),
        ("/a**b", 2, 2, "whole segment"),
        ("/a?b=1", 2, 1, "query"),
        ("/a b", 2, 1, "character"),
    ])
    func refuses(_ pattern: String, _ offset: Int, _ length: Int, _ message: String) {
        #expect {
            try MockPath(pattern)
        } throws: { error in
            guard let error = error as? MockPathError else { return false }
            return error.offset == offset && error.length == length && error.message.text.contains(message)
        }
    }

    @Test(arguments: [
        ("a%20b%2Fc", false, "a b/c"), ("a+b", false, "a+b"), ("a+b", true, "a b"), ("100%", false, "100%"),
        ("%zz%41", false, "%zzA"), ("%C5%BC", false, "ż"),
    ])
    func decodes(_ text: String, _ plusIsSpace: Bool, _ expected: String) {
        #expect(PercentEncoding.decode(text, plusIsSpace: plusIsSpace) == expected)
    }
}
