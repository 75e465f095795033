import Diagnostics
import FoundationEssentials
import SuiteLoader
import SuiteTestSupport
import Testing

@testable import SuiteLint

/// Tests of the rule examples in `Documentation/explanations/lint.md`.
///
/// The first example of each rule violates it, and the second one is the correction.
struct LintReferenceTests {
    /// The YAML blocks in the section of each rule.
    private static let sections: [String: [String]] = {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        let contents = FileManager.default.contents(atPath: root + "/Documentation/explanations/lint.md") ?? Data()
        var sections: [String: [String]] = [:]
        var rule: String?
        var block: String?
        for line in String(decoding: contents, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            if let text = block {
                if line == "```" {
                    if let rule { sections[rule, default: []].append(text) }
                    block = nil
                } else {
                    block = text + line + "\n"
                }
            } else if line == "```yaml" {
                block = ""
            } else if line.hasPrefix("## ") {
                rule = String(line.dropFirst(3))
                sections[String(line.dropFirst(3))] = []
            }
        }
        return sections
    }()

    @Test func everyRuleIsDocumented() {
        #expect(Set(Self.sections.keys) == Set(LintRules.all.map(\.id)))
    }

    @Test(arguments: LintRules.all.map(\.id))
    func examples(_ rule: String) throws {
        for (index, example) in try #require(Self.sections[rule]).enumerated() {
            let directory = try ProjectDirectory(["a.yaml": example, "shop.env": "DB_PASS=Zq8vT2\n"])
            let result = directory.load("a.yaml")
            try #require(!result.hasErrors, "\(TextRenderer(color: false).render(result.diagnostics))")
            let diagnostics = SuiteLinter(LintOptions(enabled: index == 0 ? [rule] : [])).lint(result).diagnostics
            let ids = Set(diagnostics.map(\.id))
            #expect(ids == (index == 0 ? [rule] : []), "\(TextRenderer(color: false).render(diagnostics))")
        }
    }
}
