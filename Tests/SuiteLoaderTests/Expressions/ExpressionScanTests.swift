import Testing

@testable import SuiteLoader

@Suite("Expressions in strings")
struct ExpressionScanTests {
    @Test(arguments: [
        ("plain", ["plain"]), ("${a}", ["=a@2"]), ("a${b}c", ["a", "=b@3", "c"]), ("$${a}", ["${a}"]),
        ("$${a} ${b}", ["${a} ", "=b@8"]), ("$$", ["$$"]), ("$", ["$"]), ("a$", ["a$"]), ("", [""]),
        ("${ {'a': {}} }", ["= {'a': {}} @2"]), ("${'}'}x", ["='}'@2", "x"]), ("${\"}\\\"}\"}", ["=\"}\\\"}\"@2"]),
        ("${r'\\'}", ["=r'\\'@2"]), ("${'''a'}'''}", ["='''a'}'''@2"]), ("${'\\''}", ["='\\''@2"]),
        ("${a // }\n}", ["=a // }\n@2"]), ("é${a}", ["é", "=a@3"]), ("${'é'}${b}", ["='é'@2", "=b@8"]),
        ("${}", ["=@2"]), ("${a}}", ["=a@2", "}"]), ("${br'\\'}", ["=br'\\'@2"]), ("${bar'\\''}", ["=bar'\\''@2"]),
    ])
    func pieces(text: String, expected: [String]) throws {
        let pieces = try ExpressionScan.pieces(of: text[...], firstScalar: 0).map { piece in
            switch piece {
            case .text(let text): text
            case .expression(let source, let offset): "=\(source)@\(offset)"
            }
        }
        #expect(pieces == expected)
    }

    @Test(arguments: [("${", 0), ("a ${b", 2), ("${'}", 0), ("${a} ${{}", 5), ("é${\"\"\"}", 1), ("${'\\", 0)])
    func unterminated(text: String, offset: Int) {
        let error = #expect(throws: ExpressionScan.Unterminated.self) {
            try ExpressionScan.pieces(of: text[...], firstScalar: 0)
        }
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        ("file('a.txt')", ["a.txt@5+7"]), ("base64.encode( file( \"a/b\" ) )", ["a/b@21+5"]), ("profile('a')", []),
        ("x.file('a')", []), ("file(name)", []), ("file('a' + b)", []), ("'file(\"a\")'", []), ("file('a\\n')", []),
        ("file('a') + file('b')", ["a@5+3", "b@17+3"]), ("file('')", []), ("file('a", []),
    ])
    func files(source: String, expected: [String]) {
        #expect(FileCalls.calls(in: source).map { "\($0.path)@\($0.offset)+\($0.length)" } == expected)
    }
}
