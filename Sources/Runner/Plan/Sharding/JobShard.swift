public import RunModel

/// The shard of a job that an engine, such as a CI system or a scheduler, runs in parallel with others.
///
/// The engine passes the index of the job, and usually the number of jobs, in environment variables.
public struct JobShard: Sendable, Hashable {
    /// The variable with the number of shards for engines that do not pass it.
    public static let countVariable = "APITEST_SHARDS"

    /// The shard.
    public let shard: Shard
    /// The name of the variable that contains the index of the job.
    public let variable: String

    /// Finds the shard in the environment of a process.
    ///
    /// - Parameter rule: The rule that assigns tests to shards, which the environment does not specify.
    /// - Throws: ``JobShardError`` if the variables of an engine are missing or invalid, or if those of several engines
    ///   contradict each other.
    public init(environment: [String: String], rule: Shard.Rule = .balanced) throws(JobShardError) {
        let environment = environment.filter { !$0.value.isEmpty }
        var found: JobShard?
        for engine in Engine.all {
            guard let job = try engine.job(in: environment, rule: rule) else { continue }
            if let found, found.shard != job.shard { throw .conflict(found, job) }
            found = found ?? job
        }
        guard let found else { throw .notFound(variables: Engine.all.map(\.index)) }
        self = found
    }

    fileprivate init(_ shard: Shard, variable: String) {
        self.shard = shard
        self.variable = variable
    }
}

/// The reason why the environment does not specify a shard.
public enum JobShardError: Error, Sendable, Hashable {
    /// None of the variables with the index of a job is set.
    case notFound(variables: [String])
    /// The number of jobs is unknown.
    ///
    /// `variable` is the one that the engine should have set; nil if the engine does not have one.
    case missingCount(index: String, variable: String?)
    /// Another variable of the engine is missing.
    case missing(variable: String, index: String)
    /// A value is not one of the expected numbers, which have a distance of `step`.
    case invalid(variable: String, value: String, expected: ClosedRange<Int>, step: Int)
    /// The indices of the job array are not a range with a constant step.
    case gaps(index: String)
    /// `APITEST_SHARDS` differs from the number of jobs, as when a part of a job array is submitted again.
    case otherCount(given: Int, jobs: Int, index: String)
    /// Two engines pass different shards.
    case conflict(JobShard, JobShard)

    /// The description of the error without a final period.
    public var message: String {
        switch self {
        case .notFound(let variables):
            let names = variables.dropLast().joined(separator: ", ") + " and " + (variables.last ?? "")
            return "none of \(names) is set: start a parallel job, or write I/N"
        case .missingCount(let index, let variable):
            let name = variable ?? JobShard.countVariable
            return "\(index) is set, but \(name) is not: set \(JobShard.countVariable) to the number of shards"
        case .missing(let variable, let index):
            return "\(index) is set, but \(variable) is not: write I/N"
        case .invalid(let variable, let value, let expected, let step):
            let numbers =
                expected.count == 1
                ? "\(expected.lowerBound)" : "a number from \(expected.lowerBound) to \(expected.upperBound)"
            return "\(variable) is \"\(value)\": expected \(numbers)" + (step == 1 ? "" : " in steps of \(step)")
        case .gaps(let index):
            return "the array of \(index) has gaps: use a range of indices, or write I/N"
        case .otherCount(let given, let jobs, let index):
            return "\(JobShard.countVariable) is \"\(given)\", but the number of jobs with \(index) is \(jobs): "
                + "start all of them, or write I/N"
        case .conflict(let first, let second):
            return "\(first.variable) means shard \(first.shard), but \(second.variable) means \(second.shard): "
                + "unset one of them, or write I/N"
        }
    }
}

/// The environment variables of an engine that runs a job several times in parallel.
private struct Engine {
    /// The variable with the index of the job.
    let index: String
    /// The lowest index, if it is the same for all jobs.
    var first = 0
    /// The variable with the lowest index.
    var firstVariable: String?
    /// The variable with the highest index.
    var lastVariable: String?
    /// The variable with the distance between indices.
    var stepVariable: String?
    /// The variable with the number of jobs.
    var count: String?
    /// A value of the index outside of an array of jobs.
    var undefined: String?

    /// All engines. If several of them are found and agree, the first one is reported.
    static let all = [
        // Indexed Jobs of Kubernetes.
        Engine(index: "JOB_COMPLETION_INDEX"),
        // GitLab, which sets the index only with the keyword "parallel".
        Engine(index: "CI_NODE_INDEX", first: 1, count: "CI_NODE_TOTAL"),
        // CircleCI.
        Engine(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
        // Buildkite.
        Engine(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
        // Azure Pipelines.
        Engine(index: "SYSTEM_JOBPOSITIONINPHASE", first: 1, count: "SYSTEM_TOTALJOBSINPHASE"),
        // Job arrays of Slurm.
        Engine(
            index: "SLURM_ARRAY_TASK_ID", firstVariable: "SLURM_ARRAY_TASK_MIN",
            lastVariable: "SLURM_ARRAY_TASK_MAX", stepVariable: "SLURM_ARRAY_TASK_STEP",
            count: "SLURM_ARRAY_TASK_COUNT"),
        // Array jobs of Grid Engine.
        Engine(
            index: "SGE_TASK_ID", firstVariable: "SGE_TASK_FIRST", lastVariable: "SGE_TASK_LAST",
            stepVariable: "SGE_TASK_STEPSIZE", undefined: "undefined"),
        // Array jobs of AWS Batch.
        Engine(index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
        // Jobs of Google Cloud Run.
        Engine(index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"),
    ]

    /// Returns the job and its shard, or nil if the engine does not run this process.
    func job(in environment: [String: String], rule: Shard.Rule) throws(JobShardError) -> JobShard? {
        guard let text = environment[index], text != undefined else { return nil }
        let numbers = Numbers(environment: environment)
        var first = first
        if let firstVariable {
            guard let number = try numbers[firstVariable] else { throw .missing(variable: firstVariable, index: index) }
            first = number
        }
        let step = try numbers[stepVariable, from: 1] ?? 1
        let last = try numbers[lastVariable, from: first, to: first + Shard.maximumCount * step - 1]
        let count = try self.count(numbers, jobs: last.map { ($0 - first) / step + 1 })
        let final = first + (count - 1) * step
        guard let number = Numbers.number(text), (number - first).isMultiple(of: step),
            let shard = Shard(index: (number - first) / step + 1, count: count, rule: rule)
        else { throw .invalid(variable: index, value: text, expected: first...final, step: step) }
        return JobShard(shard, variable: index)
    }

    /// Returns the number of jobs.
    ///
    /// - Parameter jobs: The number of jobs in an array whose indices have a constant step, if known.
    private func count(_ numbers: Numbers, jobs: Int?) throws(JobShardError) -> Int {
        let given = try numbers[JobShard.countVariable, from: 1, to: Shard.maximumCount]
        var count = jobs
        if let total = try numbers[self.count, from: 1, to: Shard.maximumCount] {
            // A list of indices, such as 1,3,7.
            if let jobs, jobs != total { throw .gaps(index: index) }
            count = total
        }
        guard let count else {
            guard let given else { throw .missingCount(index: index, variable: self.count) }
            return given
        }
        if let given, given != count { throw .otherCount(given: given, jobs: count, index: index) }
        return count
    }
}

/// A reader of numbers in environment variables.
private struct Numbers {
    let environment: [String: String]

    /// The number in a variable; nil if the variable is not set or an engine does not have it.
    subscript(name: String?, from minimum: Int = 0, to maximum: Int = 9_999_999_999) -> Int? {
        get throws(JobShardError) {
            guard let name, let text = environment[name] else { return nil }
            guard let number = Self.number(text), (minimum...maximum).contains(number) else {
                throw .invalid(variable: name, value: text, expected: minimum...maximum, step: 1)
            }
            return number
        }
    }

    /// Parses a number of at most 10 decimal digits, which cannot overflow in calculations.
    static func number(_ text: String) -> Int? {
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
