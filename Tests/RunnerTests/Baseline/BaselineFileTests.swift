import Diagnostics
import Testing

@testable import Runner

struct BaselineFileTests {
    private static let key = FindingKey(
        suite: "shop.yaml", test: "list books", subject: "status", type: "status", message: "expected 200, got 500")

    @Test func isWrittenSortedAndReadBack() {
        var second = Self.key
        second.step = "GET /books"
        second.document = 1
        let entries = [
            BaselineFile.Entry(key: second, reason: "SHOP-12 \"quoted\"", until: "2026-12-31"),
            BaselineFile.Entry(key: Self.key),
        ]
        let text = BaselineFile(entries: entries).text
        #expect(
            text == """
                {
                  "baseline": 1,
                  "findings": [
                    {
                      "suite": "shop.yaml",
                      "test": "list books",
                      "subject": "status",
                      "type": "status",
                      "message": "expected 200, got 500"
                    },
                    {
                      "suite": "shop.yaml",
                      "document": 2,
                      "test": "list books",
                      "step": "GET /books",
                      "subject": "status",
                      "type": "status",
                      "message": "expected 200, got 500",
                      "reason": "SHOP-12 \\"quoted\\"",
                      "until": "2026-12-31"
                    }
                  ]
                }

                """)
        let (file, diagnostics) = BaselineFile.read(Array(text.utf8), path: "known.json")
        #expect(diagnostics.isEmpty)
        #expect(file.entries == entries.reversed())
        #expect(file.location(ofEntry: 0) == "known.json:4")
        #expect(file.location(ofEntry: 1) == "known.json:11")
    }

    @Test(arguments: [
        ("", 1, "the baseline is not JSON"), ("{", 1, "the baseline is not JSON"),
        ("[]", 1, "not a baseline: expected \"baseline\": 1"),
        ("{\"baseline\": 2,\n\"findings\": []}", 1, "not a baseline: expected \"baseline\": 1"),
        ("{\"baseline\": 1,\n\"findings\": {}}", 2, "expected an array under \"findings\""),
        ("{\"baseline\": 1,\n\"findings\": [\n1]}", 3, "expected an object for a finding"),
        (
            "{\"baseline\": 1, \"findings\": [{\"suite\": \"a\", \"test\": \"b\", \"subject\": \"c\",\n\"until\": \"soon\"}]}",
            2, "expected a date such as \"2026-12-31\""
        ),
        (
            "{\"baseline\": 1, \"findings\": [{\"suite\": \"a\", \"test\": \"b\", \"subject\": \"c\",\n\"untill\": \"2026-12-31\"}]}",
            2, "unknown member \"untill\""
        ),
        (
            "{\"baseline\": 1, \"findings\": [{\"suite\": \"a\", \"test\": \"b\", \"subject\": \"c\",\n\"message\": 1}]}",
            2, "\"message\" has the wrong type"
        ),
        (
            "{\"baseline\": 1, \"findings\": [\n{\"suite\": \"a\", \"test\": \"b\"}]}", 2,
            "missing member \"subject\" of the finding"
        ),
        (
            "{\"baseline\": 1, \"findings\": [{\"suite\": \"a\", \"test\": \"b\", \"subject\": \"c\",\n\"document\": 0}]}",
            2,
            "expected a document number from 1"
        ),
    ])
    func saysWhatIsWrong(text: String, line: Int32, message: String) {
        let (_, diagnostics) = BaselineFile.read(Array(text.utf8), path: "known.json")
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.message.hasPrefix(message) == true, "\(diagnostics)")
        #expect(diagnostics.first?.range?.start.line == line)
    }

    @Test(arguments: [
        ("shop.yaml", "/p/ci", "/p/ci/shop.yaml"), ("../suites/shop.yaml", "/p/ci", "/p/suites/shop.yaml"),
        ("./a/../shop.yaml", "/p", "/p/shop.yaml"), ("/q/shop.yaml", "/p", "/q/shop.yaml"),
        ("../../../x.yaml", "/p", "/x.yaml"),
    ])
    func resolvesPaths(path: String, directory: String, absolute: String) {
        #expect(BaselinePaths.absolute(path, directory: directory) == absolute)
    }

    @Test(arguments: [
        ("/p/ci/shop.yaml", "/p/ci", "shop.yaml"), ("/p/suites/shop.yaml", "/p/ci", "../suites/shop.yaml"),
        ("/q/shop.yaml", "/p/a", "../../q/shop.yaml"), ("/shop.yaml", "/", "shop.yaml"),
    ])
    func namesPathsFromItsDirectory(path: String, directory: String, relative: String) {
        #expect(BaselinePaths.relative(path, directory: directory) == relative)
        #expect(BaselinePaths.absolute(relative, directory: directory) == path)
    }
}
