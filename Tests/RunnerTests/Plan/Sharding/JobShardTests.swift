import RunModel
import Testing

@testable import Runner

@Testing.Suite("The shard of a parallel job")
struct JobShardTests {
    @Test(
        "Each engine passes its index and number of jobs in variables",
        arguments: [
            (["JOB_COMPLETION_INDEX": "0", "APITEST_SHARDS": "3"], "1/3", "JOB_COMPLETION_INDEX"),
            (["JOB_COMPLETION_INDEX": "2", "APITEST_SHARDS": "3"], "3/3", "JOB_COMPLETION_INDEX"),
            (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"], "1/4", "CI_NODE_INDEX"),
            (["CIRCLE_NODE_INDEX": "3", "CIRCLE_NODE_TOTAL": "4"], "4/4", "CIRCLE_NODE_INDEX"),
            (
                ["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2"], "1/2",
                "BUILDKITE_PARALLEL_JOB"
            ),
            (
                ["SYSTEM_JOBPOSITIONINPHASE": "2", "SYSTEM_TOTALJOBSINPHASE": "2"], "2/2",
                "SYSTEM_JOBPOSITIONINPHASE"
            ),
            (slurm("17", "0", "199", count: "200"), "18/200", "SLURM_ARRAY_TASK_ID"),
            (slurm("10", "10", "19", count: "10"), "1/10", "SLURM_ARRAY_TASK_ID"),
            (slurm("8", "0", "12", count: "4", step: "4"), "3/4", "SLURM_ARRAY_TASK_ID"),
            (slurm("8", "0", "15", count: "4", step: "4"), "3/4", "SLURM_ARRAY_TASK_ID"),
            (slurm("5", "1", nil, count: "9"), "5/9", "SLURM_ARRAY_TASK_ID"),
            (sge("3", "1", "20"), "3/20", "SGE_TASK_ID"),
            (sge("9", "1", "10", step: "4"), "3/3", "SGE_TASK_ID"),
            (["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "2"], "2/2", "AWS_BATCH_JOB_ARRAY_INDEX"),
            (["AWS_BATCH_JOB_ARRAY_INDEX": "1", "APITEST_SHARDS": "5"], "2/5", "AWS_BATCH_JOB_ARRAY_INDEX"),
            (["CLOUD_RUN_TASK_INDEX": "0", "CLOUD_RUN_TASK_COUNT": "1"], "1/1", "CLOUD_RUN_TASK_INDEX"),
        ] as [([String: String], String, String)])
    func engines(_ environment: [String: String], _ shard: String, _ variable: String) throws {
        let job = try JobShard(environment: environment)
        #expect(job.shard.description == shard)
        #expect(job.variable == variable)
        #expect(try JobShard(environment: environment, rule: .hash).shard.description == "hash:" + shard)
    }

    @Test(
        "Variables outside of parallel jobs are ignored",
        arguments: [
            [:], ["APITEST_SHARDS": "3"], ["CI_NODE_TOTAL": "1", "CI_NODE_INDEX": ""],
            ["SGE_TASK_ID": "undefined", "SGE_TASK_FIRST": "undefined", "SGE_TASK_LAST": "undefined"],
        ] as [[String: String]])
    func notFound(_ environment: [String: String]) {
        #expect {
            try JobShard(environment: environment)
        } throws: { error in
            guard case JobShardError.notFound(let variables) = error else { return false }
            return variables.count == 9 && variables.first == "JOB_COMPLETION_INDEX"
        }
    }

    @Test(
        "Incomplete and invalid variables are errors",
        arguments: [
            (["JOB_COMPLETION_INDEX": "0"], .missingCount(index: "JOB_COMPLETION_INDEX", variable: nil)),
            (["CI_NODE_INDEX": "1"], .missingCount(index: "CI_NODE_INDEX", variable: "CI_NODE_TOTAL")),
            (
                ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "1"],
                .missing(variable: "SLURM_ARRAY_TASK_MIN", index: "SLURM_ARRAY_TASK_ID")
            ),
            (["JOB_COMPLETION_INDEX": "3", "APITEST_SHARDS": "3"], invalid("JOB_COMPLETION_INDEX", "3", 0...2)),
            (["JOB_COMPLETION_INDEX": "x", "APITEST_SHARDS": "3"], invalid("JOB_COMPLETION_INDEX", "x", 0...2)),
            (["JOB_COMPLETION_INDEX": "-1", "APITEST_SHARDS": "3"], invalid("JOB_COMPLETION_INDEX", "-1", 0...2)),
            (["JOB_COMPLETION_INDEX": "0", "APITEST_SHARDS": "0"], invalid("APITEST_SHARDS", "0", 1...100_000)),
            (["JOB_COMPLETION_INDEX": "0", "APITEST_SHARDS": "3x"], invalid("APITEST_SHARDS", "3x", 1...100_000)),
            (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"], invalid("CI_NODE_INDEX", "0", 1...2)),
            (
                ["CI_NODE_INDEX": "99999999999999999999", "CI_NODE_TOTAL": "2"],
                invalid("CI_NODE_INDEX", "99999999999999999999", 1...2)
            ),
            (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "100001"], invalid("CI_NODE_TOTAL", "100001", 1...100_000)),
            (
                slurm("17", "17", "17", count: "1").merging(["APITEST_SHARDS": "20"]) { $1 },
                .otherCount(given: 20, jobs: 1, index: "SLURM_ARRAY_TASK_ID")
            ),
            (slurm("7", "1", "7", count: "3"), .gaps(index: "SLURM_ARRAY_TASK_ID")),
            (slurm("1", "1", "7", count: "3"), .gaps(index: "SLURM_ARRAY_TASK_ID")),
            (slurm("9", "0", "12", count: "4", step: "4"), invalid("SLURM_ARRAY_TASK_ID", "9", 0...12, step: 4)),
            (slurm("1", "0", "12", count: "4", step: "0"), invalid("SLURM_ARRAY_TASK_STEP", "0", 1...9_999_999_999)),
            (sge("0", "1", "20"), invalid("SGE_TASK_ID", "0", 1...20)),
            (sge("1", "1", "100001"), invalid("SGE_TASK_LAST", "100001", 1...100_000)),
            (sge("5", "5", "4"), invalid("SGE_TASK_LAST", "4", 5...100_004)),
        ] as [([String: String], JobShardError)])
    func errors(_ environment: [String: String], _ error: JobShardError) {
        #expect(throws: error) { try JobShard(environment: environment) }
    }

    @Test("Several engines must agree, and the first one is reported")
    func conflict() throws {
        let circle = ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "3"]
        let gitlab = ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"]
        #expect(try JobShard(environment: circle.merging(gitlab) { $1 }).variable == "CI_NODE_INDEX")
        #expect {
            try JobShard(environment: gitlab.merging(Self.slurm("4", "1", "20", count: "20")) { $1 })
        } throws: { error in
            guard case JobShardError.conflict(let first, let second) = error else { return false }
            return first.variable == "CI_NODE_INDEX" && second.shard.description == "4/20"
        }
    }

    private static func invalid(
        _ variable: String, _ value: String, _ expected: ClosedRange<Int>, step: Int = 1
    ) -> JobShardError {
        .invalid(variable: variable, value: value, expected: expected, step: step)
    }

    private static func slurm(
        _ id: String, _ minimum: String, _ maximum: String?, count: String, step: String? = nil
    ) -> [String: String] {
        var variables = [
            "SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": minimum, "SLURM_ARRAY_TASK_COUNT": count,
        ]
        variables["SLURM_ARRAY_TASK_MAX"] = maximum
        variables["SLURM_ARRAY_TASK_STEP"] = step
        return variables
    }

    private static func sge(_ id: String, _ first: String, _ last: String, step: String? = nil) -> [String: String] {
        var variables = ["SGE_TASK_ID": id, "SGE_TASK_FIRST": first, "SGE_TASK_LAST": last]
        variables["SGE_TASK_STEPSIZE"] = step
        return variables
    }
}
