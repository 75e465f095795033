import Diagnostics
import RunModel
import Runner

/// The value of `--shard`: a shard, or a rule for the shard of a parallel job.
enum ShardOption: Equatable {
    /// `I/N` or `hash:I/N`.
    case shard(Shard)
    /// `auto` or `hash:auto`.
    case auto(Shard.Rule)

    /// A shard, and the environment variable that its index is from.
    struct Resolved {
        let shard: Shard
        /// The variable; nil if the shard was given by the user.
        var variable: String?

        /// The shard and its origin for messages, such as `shard 3/20 (from SLURM_ARRAY_TASK_ID)`.
        var title: String { "shard \(shard)" + (variable.map { " (from \($0))" } ?? "") }
    }

    /// The rule that assigns tests to shards.
    var rule: Shard.Rule {
        switch self {
        case .shard(let shard): shard.division.rule
        case .auto(let rule): rule
        }
    }

    /// Parses the value. Returns nil if it is invalid.
    init?(parsing text: String) {
        switch text {
        case "auto": self = .auto(.balanced)
        case "hash:auto": self = .auto(.hash)
        default:
            guard let shard = Shard(parsing: text) else { return nil }
            self = .shard(shard)
        }
    }

    /// Returns the shard to run.
    ///
    /// - Parameter environment: The environment of the process.
    /// - Throws: ``UsageError`` if the environment does not specify a shard.
    func resolved(environment: [String: String]) throws -> Resolved {
        switch self {
        case .shard(let shard): return Resolved(shard: shard)
        case .auto(let rule):
            do throws(JobShardError) {
                let job = try JobShard(environment: environment, rule: rule)
                return Resolved(shard: job.shard, variable: job.variable)
            } catch {
                throw UsageError(
                    .environmentVariable, "--shard \(rule == .hash ? "hash:auto" : "auto"): \(error.message)")
            }
        }
    }
}
