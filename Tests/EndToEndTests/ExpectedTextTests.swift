import Testing

/// Tests that the comparison of expected text finds exactly the differences.
struct ExpectedTextTests {
    @Test(arguments: [
        ("took 41 ms", "took <<ms>>", true), ("took 1 min 30 s", "took <<ms>>", true),
        ("took 0.6 ms", "took <<ms>>", true),
        ("took long", "took <<ms>>", false), ("a (b) [c]  12 ms", "a (b) [c]      <<ms>>", true),
        ("a (b) [d]  12 ms", "a (b) [c]      <<ms>>", false),
        ("http://127.0.0.1:4711/x", "http://127.0.0.1:<<port>>/x", true),
        ("http://127.0.0.1:4711/y", "http://127.0.0.1:<<port>>/x", false), ("seed 7 and more", "seed <<…>>", true),
        ("  indented", "indented", false), ("a.c", "a.c", true), ("abc", "a.c <<ms>>", false),
        ("time=\"0.123\"", "time=\"<<s>>\"", true), ("time=\"0.1\"", "time=\"<<s>>\"", false),
    ])
    func line(_ actual: String, _ expected: String, _ matches: Bool) throws {
        #expect(try ExpectedText.matches(actual, expected) == matches)
    }

    @Test func differencesAreFound() throws {
        #expect(try ExpectedText("a\nb <<ms>>\n").difference(to: "a\nb 3 ms\n") == nil)
        #expect(try ExpectedText("a\nb\n").difference(to: "a\n")?.hasPrefix("line 2 differs") == true)
        #expect(try ExpectedText("a\n").difference(to: "a\nb\n")?.hasPrefix("line 2 differs") == true)
        #expect(try ExpectedText("a\n").difference(to: "a") != nil)
    }

    @Test func updatesKeepWhatMatches() throws {
        let expected = ExpectedText("a <<…>>\nold\n")
        #expect(
            try expected.updated(from: "a 1\nGET http://127.0.0.1:4711/ in 5 ms\n")
                == "a <<…>>\nGET http://127.0.0.1:<<port>>/ in <<ms>>\n")
    }
}
