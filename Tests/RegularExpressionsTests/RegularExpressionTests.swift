import RegularExpressions
import Testing

@Suite struct RegularExpressionTests {
    @Test func findsTheLeftmostMatch() throws {
        let expression = try RegularExpression("b(a+)", dialect: .ecmaScript)
        let match = try #require(expression.firstMatch(in: "xxbaab"))
        #expect(match.range == 2..<5)
        #expect(match.text(ofGroup: 1) == "aa")
    }
}
