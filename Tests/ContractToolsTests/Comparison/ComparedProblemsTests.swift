import Basics
import ContractTools
import Diagnostics
import OpenAPI
import Testing

@Suite("Problems in compared descriptions")
struct ComparedProblemsTests {
    private static func problems(_ wrong: [String], lines: Int = 0) -> [Diagnostic] {
        var text = String(repeating: "#\n", count: lines)
        return wrong.map { word in
            let start = text.utf8.count
            text += "\(word)\n"
            let file = SourceFile(name: "a", text: text)
            return Diagnostic(
                id: "unresolved-reference", message: "wrong",
                range: SourceRange(file: file, bytes: start..<start + word.utf8.count))
        }
    }

    private static func lines(_ problems: ComparedProblems) -> [String] {
        problems.diagnostics.map { "\($0.severity.rawValue) \($0.range?.text ?? $0.message)" }
    }

    @Test("An error in both descriptions is a warning, wherever it is")
    func shared() {
        let problems = ComparedProblems(
            old: Self.problems(["a", "b"]), new: Self.problems(["b", "a"], lines: 7), newName: "new.yaml")
        #expect(!problems.hasFailed)
        #expect(Self.lines(problems).sorted() == ["warning a", "warning b"])
    }

    @Test("An error in only the new description fails, and one in only the old does not")
    func single() {
        let problems = ComparedProblems(
            old: Self.problems(["a", "old"]), new: Self.problems(["a", "a"]), newName: "new.yaml")
        #expect(problems.hasFailed)
        #expect(Self.lines(problems) == ["error a", "warning old", "warning a"])
        #expect(!ComparedProblems(old: Self.problems(["a"]), new: [], newName: "new.yaml").hasFailed)
    }

    @Test("An error outside the compared operations is a warning")
    func outside() {
        let problems = ComparedProblems(
            old: [], new: Self.problems(["a"]), newName: "new.yaml", outside: { Set($0) })
        #expect(!problems.hasFailed)
        #expect(Self.lines(problems) == ["warning a"])
    }

    @Test("In strict mode, every error fails")
    func strict() {
        let same = Self.problems(["a"])
        let problems = ComparedProblems(old: same, new: same, newName: "new.yaml", isStrict: true)
        #expect(problems.hasFailed)
        #expect(Self.lines(problems) == ["error a", "error a"])
    }

    @Test("Only the first of many problems are shown")
    func many() {
        let many = Self.problems((0..<40).map { "a\($0)" })
        let problems = ComparedProblems(old: many, new: many, newName: "new.yaml")
        #expect(!problems.hasFailed)
        #expect(problems.diagnostics.count == 4)
        #expect(problems.diagnostics.last?.message == "37 more errors do not affect the comparison")
    }
}
