import Basics
import Diagnostics
import Testing

@Suite struct GitHubRendererTests {
    private func render(
        _ text: String, _ start: (Int, Int), _ end: (Int, Int), name: String = "f.yaml", severity: Severity = .error
    ) -> String {
        let file = SourceFile(name: name, text: text)
        let range = SourceRange(
            file: file, start: SourcePosition(line: start.0, column: start.1),
            end: SourcePosition(line: end.0, column: end.1))
        return GitHubRenderer().render([Diagnostic(id: "x", severity: severity, message: "wrong", range: range)])
    }

    @Test func positionsIncludeTheLastCharacter() {
        #expect(
            render("abc", (1, 1), (1, 3)) == "::error file=f.yaml,line=1,col=1,endLine=1,endColumn=2,title=x::wrong\n")
        #expect(
            render("abc", (1, 2), (1, 2)) == "::error file=f.yaml,line=1,col=2,endLine=1,endColumn=2,title=x::wrong\n")
        #expect(
            render("abc\ndef\n", (1, 2), (3, 1))
                == "::error file=f.yaml,line=1,col=2,endLine=2,endColumn=3,title=x::wrong\n")
    }

    @Test func severitiesAreCommands() {
        #expect(render("abc", (1, 1), (1, 2), severity: .warning).hasPrefix("::warning file="))
        #expect(render("abc", (1, 1), (1, 2), severity: .note).hasPrefix("::notice file="))
    }

    @Test func everythingIsEscaped() {
        #expect(
            render("a", (1, 1), (1, 2), name: "a,b:c%\n.yaml").hasPrefix("::error file=a%2Cb%3Ac%25%0A.yaml,line=1"))
        let diagnostic = Diagnostic(
            id: "x", message: "50% of: a, b\r\n::set-output::", label: "l", related: [.init(message: "r")],
            suggestion: "s")
        #expect(
            GitHubRenderer().render([diagnostic])
                == "::error title=x::50%25 of: a, b%0D%0A::set-output::%0Al%0Ar%0As\n")
        #expect(GitHubRenderer().render([]) == "")
    }
}
