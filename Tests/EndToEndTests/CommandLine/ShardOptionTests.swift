import RunModel
import Testing

@testable import apitest

struct ShardOptionTests {
    private static let environment = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"]

    @Test(arguments: [
        ("2/5", "shard 2/5"), ("hash:2/5", "shard hash:2/5"), ("auto", "shard 2/5 (from CI_NODE_INDEX)"),
        ("hash:auto", "shard hash:2/5 (from CI_NODE_INDEX)"),
    ])
    func theShardToRun(_ text: String, _ title: String) throws {
        let option = try #require(ShardOption(parsing: text))
        #expect(try option.resolved(environment: Self.environment).title == title)
    }

    @Test(arguments: ["", "Auto", "auto:hash", "auto/3", "hash:", "hash:0/5", "6/5"])
    func otherValuesAreInvalid(_ text: String) {
        #expect(ShardOption(parsing: text) == nil)
    }

    @Test(arguments: [
        (
            ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "APITEST_SHARDS": "6"],
            "APITEST_SHARDS is \"6\", but the number of jobs with CI_NODE_INDEX is 5: start all of them, or write I/N"
        ),
        (["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"], "CI_NODE_INDEX is \"6\": expected a number from 1 to 5"),
        (
            ["JOB_COMPLETION_INDEX": "6"],
            "JOB_COMPLETION_INDEX is set, but APITEST_SHARDS is not: set APITEST_SHARDS to the number of shards"
        ),
        (
            ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "1"],
            "CI_NODE_INDEX means shard hash:2/5, but CIRCLE_NODE_INDEX means hash:1/1: unset one of them, or write I/N"
        ),
    ])
    func errorsOfTheEnvironment(_ environment: [String: String], _ message: String) {
        #expect { try ShardOption.auto(.hash).resolved(environment: environment) } throws: { error in
            (error as? UsageError)?.message == "--shard hash:auto: \(message)"
        }
    }
}
