import SuiteLoader
import Testing

@testable import SuiteImport

/// Tests that strings with literal text and expressions keep their meaning in a suite.
struct ImportedTextTests {
    /// Returns the parts that the loader finds in a string of a suite.
    private func loaded(_ text: ImportedText) throws -> [String] {
        try ExpressionScan.pieces(of: text.template[...], firstScalar: 0).map { piece in
            switch piece {
            case .text(let text): text
            case .expression(let source, _): "<\(source)>"
            }
        }
    }

    @Test(arguments: ["", "a", "$", "$$", "${x}", "$${x}", "$$${", "a$", "${", "}${", "{$}"])
    func literals(_ text: String) throws {
        #expect(try loaded(ImportedText(text)).joined() == text)
    }

    @Test(arguments: ["", "a", "$", "$$", "${", "a$"])
    func expressionsAfterLiterals(_ text: String) throws {
        let whole = ImportedText(text) + .variable("x") + ImportedText(text) + .variable("y")
        // Dollar signs before an expression are the value of another one.
        let found = try loaded(whole).map { part in
            part.hasPrefix("<\"$") ? String(part.dropFirst(2).dropLast(2)) : part
        }.joined()
        #expect(found == "\(text)<x>\(text)<y>")
    }
}
