import Testing

/// Tests that the report reader rejects the same errors as common parsers.
struct JUnitReportTests {
    @Test(arguments: [
        "<a>", "<a></b>", "<a b=1/>", "<a b=\"<\"/>", "<a>&nope;</a>", "<a>]]></a>", "<a/><b/>", "<a b=\"\" b=\"\"/>",
        "<a>\u{1B}</a>", "<a>&#27;</a>", "<a b=\"1\"c=\"2\"/>", "<a b=\"x\ny\"/>",
    ])
    func refused(_ document: String) {
        #expect(throws: XMLElement.Failure.self) { try XMLElement(document: document) }
    }

    @Test func read() throws {
        let root = try XMLElement(
            document: "<?xml version=\"1.0\"?>\n<a b=\"1&#10;&lt;\"><c/>x &amp; <![CDATA[<y>]]><c d=\"é\">z</c></a>\n")
        #expect(root.name == "a")
        #expect(root.attributes == ["b": "1\n<"])
        #expect(root.text == "x & <y>")
        #expect(root.children("c").map(\.text) == ["", "z"])
        #expect(root.children("c").last?.attributes == ["d": "é"])
    }

    @Test func problems() throws {
        let report = try JUnitReport(
            """
            <testsuites tests="2" failures="0" errors="0" skipped="0" time="0.1">
              <testsuite name="s" tests="1" failures="0" errors="0" skipped="0" time="0.100" timestamp="today" hostname="h">
                <testcase name="a" classname="s" time="0.001" file="s.yaml" line="3"><failure message="m" type="t">x</failure></testcase>
              </testsuite>
            </testsuites>
            """)
        #expect(
            report.problems == [
                "testsuites says 2 tests, 0 failures, 0 errors, 0 skipped, but has 1 tests, 1 failures, 0 errors, 0 skipped",
                "testsuite s says 1 tests, 0 failures, 0 errors, 0 skipped, but has 1 tests, 1 failures, 0 errors, 0 skipped",
                "testsuite s has the timestamp today", "testsuites has the time 0.1",
            ])
    }
}
