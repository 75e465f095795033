import FoundationEssentials
import JSON
import Testing

@testable import CEL

/// Tests of the tables in Documentation/expressions.md: each example gives the value beside it.
@Suite struct ExpressionReferenceTests {
    /// A row of a table with the columns "example" and "gives".
    struct Row: Sendable, CustomTestStringConvertible {
        var line: Int
        var example: String
        var gives: String

        var testDescription: String { "line \(line): \(example)" }
    }

    private static let text: String = {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Documentation/expressions.md"
        return FileManager.default.contents(atPath: "/" + path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }()

    private static let rows: [Row] = {
        var rows: [Row] = []
        var columns: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("|") else {
                columns = []
                continue
            }
            let cells = cells(of: line)
            if columns.isEmpty {
                columns = cells
                continue
            }
            guard let example = columns.firstIndex(of: "example"), let gives = columns.firstIndex(of: "gives"),
                cells.indices.contains(example), cells.indices.contains(gives), let code = code(cells[example]),
                let value = code == "---" ? nil : Self.code(cells[gives])
            else { continue }
            rows.append(Row(line: index + 1, example: code, gives: value))
        }
        return rows
    }()

    /// Returns the cells of a row; `\\|` is a vertical bar within a cell.
    private static func cells(of line: Substring) -> [String] {
        line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { cell in
                var text = Substring(cell.replacing("\u{0}", with: "|"))
                while text.first == " " { text.removeFirst() }
                while text.last == " " { text.removeLast() }
                return String(text)
            }
    }

    /// Returns the contents of a cell that is only code.
    private static func code(_ cell: String) -> String? {
        guard cell.count > 2, cell.hasPrefix("`"), cell.hasSuffix("`") else { return nil }
        return String(cell.dropFirst().dropLast())
    }

    @Test("An example gives the value beside it", arguments: rows)
    func example(_ row: Row) throws {
        var context = CELContext.fixed
        context.random = CELRandomSource(seed: 1)
        let value = try CELExpression(row.example).evaluate(CELVariables(), context: context)
        #expect(value.json?.serialized() == row.gives, "line \(row.line)")
    }

    @Test func thereAreExamples() {
        #expect(Self.rows.count > 180)
    }

    @Test("The page names every function, method and macro")
    func coverage() {
        let names = CELFunctions.standard.names + Compiler.macroNames
        #expect(names.filter { !Self.text.contains($0 + "(") && !Self.text.contains("`\($0)`") } == [])
    }
}
