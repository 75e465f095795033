import CEL
import JSON
import Testing

@Suite struct SmokeTests {
    @Test func evaluates() throws {
        let value = try CELExpression("1 + 2 * size([1, 2])").evaluate(CELVariables())
        #expect(value.json == 5)
    }
}
