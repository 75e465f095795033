import Testing

@testable import Reports

struct LogFoldingTests {
    private func rendered(_ service: String, _ change: (inout FoldableText) -> Void) -> String {
        var text = FoldableText()
        change(&text)
        var count = 0
        return LogFolding(environment: [service: "true"], time: 7) { "TOKEN" }?.rendered(text, count: &count) ?? ""
    }

    private func failure(_ text: inout FoldableText) {
        text.append(section: "✗ a", body: "  wrong\n", isOpen: true)
        text.append(details: "  → GET /\n", title: "  → GET /  ← 200")
        text += "\n"
    }

    @Test func detailsOfAFailure() {
        #expect(
            rendered("GITHUB_ACTIONS", failure)
                == "✗ a\n  wrong\n::group::  → GET /  ← 200\n  → GET /\n::endgroup::\n\n")
        #expect(
            rendered("GITLAB_CI", failure)
                == "✗ a\n  wrong\n\u{1B}[0Ksection_start:7:apitest_1[collapsed=true]\r\u{1B}[0K  → GET /  ← 200\n"
                + "  → GET /\n\u{1B}[0Ksection_end:7:apitest_1\r\u{1B}[0K\n\n")
        #expect(rendered("BUILDKITE", failure) == "+++ ✗ a\n  wrong\n  → GET /\n\n")
    }

    @Test func whatPassedIsClosed() {
        let passed = { (text: inout FoldableText) in text.append(section: "✓ a", body: "  → GET /\n", isOpen: false) }
        #expect(rendered("GITHUB_ACTIONS", passed) == "::group::✓ a\n  → GET /\n::endgroup::\n")
        #expect(rendered("BUILDKITE", passed) == "--- ✓ a\n  → GET /\n")
        let empty = { (text: inout FoldableText) in text.append(section: "✓ a", body: "", isOpen: false) }
        #expect(rendered("GITHUB_ACTIONS", empty) == "✓ a\n")
    }

    @Test func textCannotOpenOrCloseSections() {
        let text = rendered("GITHUB_ACTIONS") {
            $0.append(details: "::endgroup::\n::error::x\n", title: "a\n::error::y")
        }
        #expect(
            text
                == "::group::a%0A::error::y\n::stop-commands::TOKEN\n::endgroup::\n::error::x\n::TOKEN::\n::endgroup::\n"
        )
    }

    @Test func elsewhereNothingIsFolded() {
        #expect(LogFolding(environment: ["CI": "true"], time: 0) == nil)
        var text = FoldableText()
        failure(&text)
        #expect(text.plain == "✗ a\n  wrong\n  → GET /\n\n")
    }
}
