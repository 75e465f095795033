import JSON
import Testing

/// Tests of captures of long lists of secrets.
struct SecretListTests {
    /// Captures 20,000 secrets with a common prefix. A failure then shows some of them.
    @Test(.timeLimit(.minutes(2))) func aLongListOfTokens() async throws {
        let directory = try TemporaryDirectory()
        let suite = """
            name: Tokens
            serve: { mock: api.mock.yaml }
            tests:
              - name: capture
                steps:
                  - request: GET /tokens
                    capture: { tokens: { json: $, secret: true } }
                  - request: GET /tokens
                    expect: { json: { "$[19999]": no } }
            """
        let mock = """
            routes:
              - request: GET /tokens
                respond: { file: tokens.json }
            """
        let tokens = (0..<20_000).map { JSONValue.string("session_token_of_user_\($0)_\($0 * 7_919)") }
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(JSONValue.array(tokens).serializedBytes(), to: directory.path + "/tokens.json")
        let run = try await Program.run(["suite.yaml", "--report", "json=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        #expect(record.contains("***"))
        #expect(!record.contains("session_token") && !run.output.contains("session_token"))
    }
}
