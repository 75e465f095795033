import Testing

@testable import Output

struct ReportTextTests {
    @Test(
        arguments: [
            (-5, "0.0 ms", "0.000"), (0, "0.0 ms", "0.000"), (420_000, "0.4 ms", "0.000"),
            (9_949_999, "9.9 ms", "0.010"),
            (9_950_000, "10 ms", "0.010"), (41_400_000, "41 ms", "0.041"), (999_499_999, "999 ms", "0.999"),
            (999_500_000, "1.00 s", "1.000"), (1_518_000_000, "1.52 s", "1.518"), (59_994_999_999, "59.99 s", "59.995"),
            (59_995_000_000, "1 min 0 s", "59.995"), (125_000_000_000, "2 min 5 s", "125.000"),
            (3_720_000_000_000, "1 h 2 min", "3720.000"), (Int64.max, "2562047 h 47 min", "9223372036.855"),
        ] as [(Int64, String, String)])
    func duration(nanoseconds: Int64, text: String, seconds: String) {
        #expect(DurationText.text(nanoseconds) == text)
        #expect(DurationText.seconds(nanoseconds) == seconds)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 KB"), (1_249, "1.2 KB"), (9_999, "9.9 KB"), (12_345, "12 KB"),
        (999_999, "999 KB"), (1_000_000, "1.0 MB"), (10_500_000, "10 MB"), (Int.max, "9223372 TB"),
    ])
    func size(bytes: Int, text: String) {
        #expect(NumberText.size(bytes) == text)
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00"), (951_782_399.9, "2000-02-28T23:59:59"), (951_782_400, "2000-02-29T00:00:00"),
        (1_700_000_000, "2023-11-14T22:13:20"), (4_107_542_400, "2100-03-01T00:00:00"),
        (-1, "1970-01-01T00:00:00"), (.nan, "1970-01-01T00:00:00"), (1e300, "9999-12-31T23:59:59"),
    ])
    func timestamp(seconds: Double, text: String) {
        #expect(Timestamp.text(seconds) == text)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("渡辺さん", 8, "渡辺さん"), ("渡辺さん", 7, "渡辺さ…"),
        ("渡辺さん", 6, "渡辺…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"), ("", 1, ""),
    ])
    func cut(text: String, width: Int, expected: String) {
        #expect(TextFitting.cut(text, to: width) == expected)
    }

    @Test(
        arguments: [
            ("one two three", 13, ["one two three"]), ("one two three", 12, ["one two", "three"]),
            ("one two   three four", 10, ["one two", "three four"]),
            ("0123456789abcdefghijklm x", 10, ["0123456789", "abcdefghij", "klm x"]),
            ("a 0123456789abc", 10, ["a", "0123456789", "abc"]), ("渡辺 渡辺 渡辺", 10, ["渡辺 渡辺", "渡辺"]),
            ("          far", 10, ["far"]), ("", 10, [""]), ("0123456789 ", 10, ["0123456789"]),
        ] as [(String, Int, [String])])
    func wrap(text: String, width: Int, expected: [String]) {
        #expect(TextFitting.wrap(text, to: width) == expected)
    }

    @Test(arguments: [
        (10, 1_000_000_000, "10.0"), (33, 330_010_000, "100"), (20_000, 500_000_000, "40000"),
        (1, 3_000_000_000, "0.3"),
    ])
    func rate(number: Int, nanoseconds: Int64, text: String) {
        #expect(NumberText.rate(number, nanoseconds: nanoseconds) == text)
        #expect(NumberText.rate(number, nanoseconds: 0) == nil)
    }
}
