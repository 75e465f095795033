import Testing

@testable import SuiteFormat

struct UnifiedDifferenceTests {
    private func difference(_ before: String, _ after: String) -> String {
        UnifiedDifference(before: Array(before.utf8), after: Array(after.utf8)).unified(name: "a")
    }

    @Test func equalTextsDoNotDiffer() {
        #expect(difference("", "") == "")
        #expect(difference("a\nb", "a\nb") == "")
    }

    @Test func changedLines() {
        #expect(
            difference("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n")
                == """
                --- a
                +++ a (formatted)
                @@ -2,7 +2,7 @@
                 2
                 3
                 4
                -5
                +five
                 6
                 7
                 8

                """)
    }

    @Test func distantChangesAreApart() {
        let lines = (1...30).map(String.init)
        var changed = lines
        changed.removeFirst()
        changed.insert("new", at: 20)
        #expect(
            difference(lines.joined(separator: "\n") + "\n", changed.joined(separator: "\n") + "\n")
                == """
                --- a
                +++ a (formatted)
                @@ -1,4 +1,3 @@
                -1
                 2
                 3
                 4
                @@ -19,6 +18,7 @@
                 19
                 20
                 21
                +new
                 22
                 23
                 24

                """)
    }

    @Test func missingLineBreaksAtTheEnd() {
        #expect(
            difference("a\nb", "a\nb\n")
                == "--- a\n+++ a (formatted)\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n")
        #expect(difference("", "b\n") == "--- a\n+++ a (formatted)\n@@ -0,0 +1 @@\n+b\n")
        #expect(difference("b\n", "") == "--- a\n+++ a (formatted)\n@@ -1 +0,0 @@\n-b\n")
    }

    @Test func carriageReturnsAreDifferences() {
        #expect(difference("a\r\n", "a\n") == "--- a\n+++ a (formatted)\n@@ -1 +1 @@\n-a\r\n+a\n")
    }

    /// Many different or moved lines do not take quadratic time.
    @Test(.timeLimit(.minutes(1))) func manyLines() {
        let before = (0..<50_000).map { "  line \($0)" }
        let after = before.map { $0.dropFirst(2) }
        let text = difference(before.joined(separator: "\n"), after.joined(separator: "\n"))
        #expect(text.utf8.count > 1_000_000)
        #expect(!difference(before.joined(separator: "\n"), before.reversed().joined(separator: "\n")).isEmpty)
    }
}
