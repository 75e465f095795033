import Diagnostics
import FoundationEssentials
import SuiteTestSupport
import Testing

@testable import SuiteImport

/// Hostile collections of Bruno in the YAML layout: each has a clear error or becomes a suite, within bounded time.
struct BrunoYAMLLimitTests {
    private static let settings = "opencollection: 1.0.0\ninfo:\n  name: Shop\n"

    private static func request(_ name: String, _ more: String = "") -> String {
        "info:\n  name: \(name)\n  type: http\nhttp:\n  method: POST\n  url: https://example.org/\(name)\n\(more)"
    }

    /// Imports files, and returns the result.
    private func importing(_ files: [(String, String)], in directory: String = "/nonexistent") -> ImportResult {
        ImportRun.run(
            files.map { SourceFile(name: $0.0, text: $0.1) }, format: .bruno,
            options: ImportOptions(workingDirectory: directory, outputDirectory: directory))
    }

    private func text(_ result: ImportResult) -> String {
        result.files.map { String(decoding: $0.suite.text, as: UTF8.self) }.joined()
    }

    // MARK: Size

    @Test func aFileThatIsTooLarge() {
        let file = SourceFile(name: "a.yml", text: [UInt8](repeating: 0x20, count: ImportLimits.bytes + 1))
        let result = ImportRun.run(
            [file], options: ImportOptions(workingDirectory: "/nonexistent", outputDirectory: "/nonexistent"))
        #expect(result.diagnostics.map(\.id) == ["import-too-large"])
        #expect(result.diagnostics.first?.message.hasPrefix("\"a.yml\" is larger than 256 MiB") == true)
    }

    @Test func settingsThatTooManyRequestsInherit() {
        let docs = "docs: |\n" + String(repeating: "  \(String(repeating: "x", count: 998))\n", count: 1_000)
        let requests = (0..<540).map { ("shop/\($0).yml", Self.request("a\($0)")) }
        let result = importing([("shop/opencollection.yml", Self.settings + docs)] + requests)
        #expect(result.diagnostics.map(\.id) == ["import-too-large"])
        #expect(result.files.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func manyParts() throws {
        let count = 10_000
        let headers = (0..<count).map { "    - name: X-\($0)\n      value: \"\($0)\"\n" }.joined()
        let parameters = (0..<count).map { "    - name: p\($0)\n      value: \"\($0)\"\n      type: path\n" }.joined()
        let path = (0..<count).map { "/:p\($0)" }.joined()
        let result = importing([
            ("shop/opencollection.yml", Self.settings),
            ("shop/a.yml", Self.request("a", "  headers:\n\(headers)    - name: x-7\n      value: last\n")),
            (
                "shop/b.yml",
                "info:\n  name: b\n  type: http\nhttp:\n  method: GET\n  url: https://example.org\(path)\n  params:\n\(parameters)"
            ),
        ])
        #expect(result.diagnostics.isEmpty)
        let text = text(result)
        // Of equal names, the last counts.
        #expect(text.contains("x-7: last") && !text.contains("X-7:") && text.contains("X-9999: 9999"))
        #expect(text.contains("/9998/9999"))
    }

    /// Values that a suite cannot have become its largest, so that the suite loads.
    @Test func settingsThatSuitesCannotHave() throws {
        let settings = "settings:\n  maxRedirects: \(Int.max)\n  timeout: \(Int.max)\n"
        let imported = try SuiteImportTests.importing(Self.request("a", settings), as: "a.yml", format: .bruno)
        #expect(imported.text.contains("redirects: 100"), "\(imported.text)")
        #expect(imported.text.contains("timeout: 1000000000s"), "\(imported.text)")
    }

    // MARK: Depth

    @Test(arguments: ["[", "{a: ", "- "])
    func deepValues(_ start: String) {
        let depth = ImportLimits.depth + 10
        let end = start == "[" ? "]" : start == "- " ? "" : "}"
        let value = String(repeating: start, count: depth) + "x" + String(repeating: end, count: depth)
        let result = importing([
            ("shop/opencollection.yml", Self.settings),
            ("shop/a.yml", "info: {name: a, type: http}\nhttp:\n  \(value)\n"),
        ])
        #expect(result.diagnostics.map(\.id) == ["too-deep"])
        #expect(result.diagnostics.first?.range?.file.name == "shop/a.yml")
        #expect(result.files.isEmpty)
    }

    @Test func deepDirectories() {
        let directory = "shop/" + String(repeating: "d/", count: ImportLimits.depth)
        let result = importing([
            ("shop/opencollection.yml", Self.settings), ("shop/a.yml", Self.request("a")),
            ("\(directory)b.yml", Self.request("b")),
        ])
        #expect(result.diagnostics.map(\.id) == ["import-too-deep"])
        #expect(result.files.isEmpty)
    }

    // MARK: Aliases

    @Test func aliasesOfAliases() {
        var bomb = "x0: &x0 [y, y, y, y, y, y, y, y, y, y]\n"
        for level in 1...9 {
            bomb += "x\(level): &x\(level) [\(Array(repeating: "*x\(level - 1)", count: 10).joined(separator: ", "))]\n"
        }
        let result = importing([
            ("shop/opencollection.yml", Self.settings), ("shop/a.yml", bomb + Self.request("a", "  headers: *x9\n")),
        ])
        #expect(result.diagnostics.map(\.id) == ["expansion-limit"])
        #expect(result.files.isEmpty)
    }

    @Test func aliasesOfLongTexts() {
        let long = "long: &long \(String(repeating: "x", count: 1 << 20))\n"
        let headers = (0..<100).map { "    - {name: X-\($0), value: *long}\n" }.joined()
        let result = importing([
            ("shop/opencollection.yml", Self.settings),
            ("shop/a.yml", long + Self.request("a", "  headers:\n\(headers)")),
        ])
        #expect(result.diagnostics.map(\.id) == ["expansion-limit"])
        #expect(result.files.isEmpty)
    }

    @Test func anAliasInsideItsAnchor() {
        let result = importing([
            ("shop/opencollection.yml", Self.settings), ("shop/a.yml", Self.request("a", "  headers: &x [*x]\n")),
        ])
        #expect(result.diagnostics.map(\.id) == ["recursive-alias"])
    }

    // MARK: Paths

    @Test(arguments: [
        "../secret.txt", "../../../../../../../../../../etc/hosts", "/etc/hosts", "link.txt", "up/secret.txt",
    ])
    func pathsThatLeaveTheDirectory(_ path: String) throws {
        let outside = try ProjectDirectory(["secret.txt": "secret", "shop/x": ""])
        let directory = outside.path + "/shop"
        for (link, target) in [("link.txt", "../secret.txt"), ("up", "..")] {
            try FileManager.default.createSymbolicLink(atPath: "\(directory)/\(link)", withDestinationPath: target)
        }
        let file = "  body:\n    type: file\n    data:\n      - {filePath: \(path), selected: true}\n"
        let part = "  body:\n    type: multipart-form\n    data:\n      - {name: f, type: file, value: [\(path)]}\n"
        let result = importing(
            [
                ("opencollection.yml", Self.settings), ("a.yml", Self.request("a", file)),
                ("b.yml", Self.request("b", part)),
            ], in: directory)
        #expect(result.diagnostics.isEmpty)
        #expect(
            result.counts.untranslated.entries.map { "\($0.name) (\($0.count))" }
                == ["file \"\(path)\", which is outside the working directory (2)"])
        let text = text(result)
        #expect(text.contains("request: POST /a\n") && text.contains("request: POST /b\n"), "\(text)")
    }

    /// The names in a collection choose the name of the suite, but not its directory.
    @Test(arguments: ["../../evil", "/etc/evil", "..", "evil\\0/../x"])
    func namesThatLeaveTheDirectory(_ name: String) throws {
        let settings = "opencollection: 1.0.0\ninfo:\n  name: \"\(name)\"\n"
        let result = importing([
            ("opencollection.yml", settings), ("environments/../../a.yml", "name: a\nvariables: []\n"),
            ("a.yml", Self.request("a")),
        ])
        let file = try #require(result.files.first?.name)
        #expect(!file.contains("/") && !file.hasPrefix(".") && file.hasSuffix(".apitest.yaml"), "\(file)")
    }
}
