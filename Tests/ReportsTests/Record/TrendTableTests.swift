import Testing

@testable import Reports
@testable import RunRecord

struct TrendTableTests {
    /// Returns the file of a run: a suite and its results, as letters with microseconds.
    static func run(
        _ index: Int, digest: String? = "a", _ results: [(String, String)], environment: String? = nil,
        suite: String = "shop.yaml", revision: String? = nil
    ) -> [UInt8] {
        var text = #"{"apitest":"history","version":1,"start":\#(1_700_000_000_000 + index * 60_000)"#
        if let revision { text += #","revision":"\#(revision)""# }
        text += "}\n"
        text += #"{"suite":"\#(suite)","document":0,"name":"Shop""#
        if let environment { text += #","environment":"\#(environment)""# }
        if let digest { text += #","digest":"\#(digest)""# }
        text += "}\n"
        for (name, result) in results { text += "\(result) \(name)\n" }
        return Array(text.utf8)
    }

    private static func add(_ bytes: [UInt8], to table: inout TrendTable, isReadable: Bool = true) {
        let isAdded = table.add(bytes)
        #expect(isAdded == isReadable)
    }

    /// Returns the trends of runs of one test, each represented by a letter. Uppercase represents different suite
    /// contents.
    static func trends(_ runs: String) -> Trends {
        var table = TrendTable()
        for (index, letter) in runs.enumerated() {
            let digest = letter.isUppercase ? "b" : "a"
            Self.add(run(index, digest: digest, [("buy", "\(letter.lowercased()) 1000")]), to: &table)
        }
        return Trends(table, onlyLastRun: true)
    }

    private static func kinds(_ trends: Trends) -> String {
        let counts = [
            ("new", trends.newFailures), ("still", trends.stillFailing), ("fixed", trends.fixed),
            ("flaky", trends.flaky), ("slower", trends.slower),
        ]
        return counts.filter { $0.1.count > 0 }.map(\.0).joined(separator: " ")
    }

    @Test(
        "A sequence of results is classified",
        arguments: [
            ("p", ""), ("f", ""), ("pp", ""), ("pf", "new"), ("pe", "new"), ("pff", "still"), ("ff", "still"),
            ("fp", "fixed"), ("ffp", "fixed"), ("fpp", ""), ("pfp", "fixed"),
            ("pfpf", "new flaky"), ("pfpff", "still flaky"), ("ppfpp", ""), ("ppfppfp", "fixed flaky"),
            ("y", "flaky"), ("py", "flaky"), ("yp", "flaky"),
            // A test is not flaky if the contents are different.
            ("pFp", "fixed"), ("pfP", "fixed"), ("pfpP", ""), ("pfpF", "new"), ("yP", ""),
            // Tests that did not run provide no information.
            ("psf", "new"), ("fbp", "fixed"), ("ps", ""),
        ])
    func kinds(_ runs: String, _ expected: String) {
        #expect(Self.kinds(Self.trends(runs)) == expected, "\(runs)")
    }

    @Test(
        "A status change within a revision suffices for flaky, and changes between revisions do not",
        arguments: [
            ("1p 2f 3p", "fixed"), ("1p 2f 3p 4f 5p", "fixed"), ("1p 1f", "new flaky"), ("1p 2f 2p", "fixed flaky"),
            // Runs of two branches alternate.
            ("1p 2f 1p 2f", "new"), ("1p 2p 1f", "new flaky"), ("1p 2p 3p 4p 5p 1f", "new"),
            // A run without a revision is compared with neither.
            ("1p -f -p 1p", ""), ("1p -f 1p -f", "new"),
            // A test is not flaky if the contents are different.
            ("1p 1F", "new"), ("1p 1f 1P 2P", ""),
        ])
    func revisions(_ runs: String, _ expected: String) {
        var table = TrendTable()
        for (index, run) in runs.split(separator: " ").enumerated() {
            let letter = String(run.suffix(1))
            Self.add(
                Self.run(
                    index, digest: letter == letter.uppercased() ? "b" : "a", [("buy", letter.lowercased() + " 1000")],
                    revision: run.hasPrefix("-") ? nil : String(run.prefix(1))),
                to: &table)
        }
        #expect(Self.kinds(Trends(table, onlyLastRun: true)) == expected, "\(runs)")
    }

    @Test func wordsAndNumbers() throws {
        let new = try #require(Self.trends("pppf").newFailures.tests.first)
        #expect(TrendText.newFailure(new) == "failed at 2023-11-14T22:16:20Z, passed in the 3 runs before")
        let still = try #require(Self.trends("pff").stillFailing.tests.first)
        #expect(
            TrendText.stillFailing(still)
                == "failing since 2023-11-14T22:14:20Z (2 runs), passed in the run before")
        let fixed = try #require(Self.trends("ffp").fixed.tests.first)
        #expect(TrendText.fixed(fixed) == "passed at 2023-11-14T22:15:20Z, failed in the 2 runs before")
        let flaky = try #require(Self.trends("Ppfpyf").flaky.tests.first)
        #expect(
            TrendText.flaky(flaky)
                == "failed in 2 of 5 runs of the same suite content, with 3 outcome changes; passed only after a retry in 1 run; failed in the last run"
        )
        #expect(TrendText.overview(of: Self.trends("pf")).hasSuffix(": 2 results, 50.0% failed"))
    }

    @Test("A new test that fails is a new failure, except in the first run")
    func newTests() {
        var table = TrendTable()
        Self.add(Self.run(0, [("old", "p 1")]), to: &table)
        Self.add(Self.run(1, [("old", "p 1"), ("new", "f 1")]), to: &table)
        let trends = Trends(table, onlyLastRun: true)
        #expect(trends.newFailures.tests.map(\.name) == ["new"])
        #expect(TrendText.newFailure(trends.newFailures.tests[0]).hasPrefix("failed in its first run (2023"))
    }

    @Test("Tests that are not in the last run are not part of its trends")
    func lastRun() {
        var table = TrendTable()
        Self.add(Self.run(0, [("a", "p 1"), ("b", "p 1")]), to: &table)
        Self.add(Self.run(1, [("a", "f 1"), ("b", "f 1")]), to: &table)
        Self.add(Self.run(2, digest: "b", [("b", "f 1")]), to: &table)
        #expect(Self.kinds(Trends(table, onlyLastRun: true)) == "still")
        // Without a last run, a test is gone if the suite has changed and the test has not run since.
        #expect(Trends(table, onlyLastRun: false).newFailures.count == 0)
        Self.add(Self.run(3, [("b", "p 1")], suite: "other.yaml"), to: &table)
        #expect(Trends(table, onlyLastRun: false).stillFailing.tests.map(\.file) == ["shop.yaml"])
    }

    @Test("Suites in the same file are distinguished by document and environment")
    func environments() {
        var table = TrendTable()
        Self.add(Self.run(0, [("a", "p 1")], environment: "staging"), to: &table)
        Self.add(Self.run(1, [("a", "f 1")], environment: "production"), to: &table)
        #expect(table.suites.count == 2)
        #expect(table.tests.count == 2)
        #expect(table.tests.allSatisfy { $0.verdicts == 1 } as Bool)
    }

    @Test("Without digests, only tests that passed after a retry are flaky")
    func withoutDigests() {
        var table = TrendTable()
        for (index, result) in ["p 1", "f 1", "p 1", "f 1"].enumerated() {
            Self.add(Self.run(index, digest: nil, [("a", result)]), to: &table)
        }
        #expect(Self.kinds(Trends(table, onlyLastRun: true)) == "new")
    }

    @Test(
        "A test is slower only beyond a factor, a minimum, and its normal variation",
        arguments: [
            ([100, 100, 100, 100, 100, 160], true), ([100, 100, 100, 100, 100, 149], false),
            // Too few runs.
            ([100, 100, 100, 100, 300], false),
            // 50% longer, but only by 20 ms.
            ([20, 20, 20, 20, 20, 20, 40], false),
            // It has always varied this much.
            ([100, 300, 100, 300, 100, 300, 100, 300, 320], false),
            // One slow run before does not hide it.
            ([100, 100, 900, 100, 100, 100, 100, 400], true),
            ([0, 0, 0, 0, 0, 0, 60], true),
        ])
    func slowdowns(_ milliseconds: [Int], _ isSlower: Bool) {
        var table = TrendTable()
        for (index, time) in milliseconds.enumerated() {
            Self.add(Self.run(index, [("a", "p \(time * 1_000)")]), to: &table)
        }
        let trends = Trends(table, onlyLastRun: true)
        #expect((trends.slower.count == 1) == isSlower)
        #expect(trends.slower.tests.allSatisfy { $0.duration == Int64(milliseconds.last ?? 0) * 1_000_000 } as Bool)
    }

    @Test("The last verdicts of a test are kept in order with their runs")
    func strips() throws {
        var table = TrendTable(stripLength: 3)
        for (index, letter) in "pfseyp".enumerated() {
            Self.add(
                Self.run(index, [("a", "\(letter) \(index + 1)"), ("b", "p 1")], revision: "r\(index)"), to: &table)
        }
        #expect(table.strip(of: 0).map(\.run) == [3, 4, 5])
        #expect(table.strip(of: 0).map(\.outcome) == [.errored, .flaky, .passed])
        #expect(table.strip(of: 0).map(\.duration) == [4, 5, 6])
        #expect(table.runs.last?.revision == "r5")
        #expect(table.suite(file: "shop.yaml", document: 0, environment: nil) == 0)
        #expect(table.suite(file: "shop.yaml", document: 1, environment: nil) == nil)
    }

    @Test("Only the most recent durations are used, regardless of the number of runs")
    func window() throws {
        var table = TrendTable()
        for index in 0..<100 {
            let time = index < 70 ? 1_000_000 : index < 99 ? 100_000 : 400_000
            Self.add(Self.run(index, [("a", "p \(time)")]), to: &table)
        }
        let test = try #require(Trends(table, onlyLastRun: true).slower.tests.first)
        #expect(test.median == 100_000_000)
        #expect(TrendText.slower(test) == "400 ms, compared with a median of 100 ms in 20 previous runs")
    }

    @Test(
        "Unreadable records are skipped",
        arguments: [
            "", "x", "{}\n", "{\"apitest\":\"history\",\"version\":2,\"start\":1}\n", "\u{0}\u{1}\n\n",
            "{\"apitest\":\"history\",\"version\":1,\"start\":1}",
        ])
    func unreadable(_ text: String) {
        var table = TrendTable()
        Self.add(Array(text.utf8), to: &table, isReadable: false)
        #expect(table.runs.isEmpty)
    }

    @Test func brokenLines() {
        var table = TrendTable()
        let head = "{\"apitest\":\"history\",\"version\":1,\"start\":1}\np 1 before a suite\n"
        let lines = [
            "{\"suite\":\"a\"}", "", "p", "p ", "p x", "p 1", "q 1 a", "{", "{\"suite\":1",
            "p 99999999999999999999 long",
            "p 12x a", "f 1 \\n\\\\", "p 1 ", "e 1 whole", "p 1 cut",
        ]
        Self.add(Array((head + lines.joined(separator: "\n")).utf8), to: &table)
        #expect(table.tests.indices.map(table.name) == ["long", "\n\\", "", "whole"])
        #expect(table.samples(of: 0)?.last == .max)
    }

    @Test("Many tests are kept apart")
    func manyTests() {
        var table = TrendTable()
        let names = (0..<20_000).map { "test \($0)" }
        for run in 0..<4 { Self.add(Self.run(run, names.map { ($0, run % 2 == 1 ? "f 5" : "p 5") }), to: &table) }
        #expect(table.tests.count == names.count)
        #expect(table.tests.indices.map(table.name) == names)
        let trends = Trends(table, onlyLastRun: true)
        #expect(trends.flaky.count == names.count)
        #expect(trends.flaky.tests.count == Trends.maximumTests)
        #expect(trends.flaky.tests.first?.name == "test 0")
        #expect(trends.text().hasSuffix("  … and 19000 more\n"))
    }
}
