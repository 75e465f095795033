import Basics
import Diagnostics
import Testing

@Suite struct DiagnosticBagTests {
    private func diagnostic(
        _ id: String, _ severity: Severity = .error, _ file: SourceFile? = nil, _ line: Int = 1, _ column: Int = 1
    ) -> Diagnostic {
        let position = SourcePosition(line: line, column: column)
        return Diagnostic(
            id: id, severity: severity, message: "m",
            range: file.map { SourceRange(file: $0, start: position, end: position) })
    }

    @Test func problemsAreSortedByFileAndPosition() {
        let first = SourceFile(name: "z", text: "")
        let second = SourceFile(name: "a", text: "")
        var bag = DiagnosticBag()
        bag.add(diagnostic("1", .error, first, 3))
        bag.add(diagnostic("2", .error, second, 1))
        bag.add(diagnostic("3", .error, first, 2, 9))
        bag.add(diagnostic("4"))
        bag.add(diagnostic("5", .error, first, 2, 3))
        bag.add(diagnostic("6", .error, first, 2, 3))
        #expect(bag.sorted.map(\.id) == ["4", "5", "6", "3", "1", "2"])
        #expect(bag.diagnostics.map(\.id) == ["1", "2", "3", "4", "5", "6"])
    }

    @Test func onlyErrorsAreErrors() {
        var bag = DiagnosticBag([diagnostic("w", .warning), diagnostic("n", .note)])
        #expect(!bag.hasErrors)
        #expect(!bag.isEmpty)
        bag.add(contentsOf: [diagnostic("e")])
        #expect(bag.hasErrors)
        #expect(bag.count == 3)
        #expect(DiagnosticBag().isEmpty)
    }

    @Test func severitiesAreOrdered() {
        #expect(Severity.allCases.sorted() == [.note, .warning, .error])
    }
}
