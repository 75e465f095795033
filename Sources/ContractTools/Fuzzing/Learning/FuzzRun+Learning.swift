import Basics
import OpenAPI
import RunModel

/// Learning from the responses to refused requests.
extension FuzzRun {
    /// The maximum number of repetitions with new rules for one operation.
    private static let maximumPasses = 8
    /// The statuses that refuse a request because of its values.
    private static let refusals: Set = [400, 422]

    /// The progress of learning.
    struct Learning {
        /// The operations that have refused a valid request.
        var refusing: Set<Int> = []
        /// The operations with a rule that has taken effect since the last repetition.
        var changed: Set<Int> = []
        /// The number of times that a rule has taken effect.
        var revision = 0
    }

    /// Records the rules that the response to a valid request states.
    mutating func observe(_ test: GeneratedTest, _ exchange: Exchange) {
        guard let response = exchange.response, Self.refusals.contains(response.status), test.intent.isValid,
            !test.hasUnusualPath,
            judge.isValid(test, exchange)
        else { return }
        learning.refusing.insert(test.operation)
        let request = RefusedRequest(
            judge.operations[test.operation], judge.contract.description, url: exchange.request.url,
            body: exchange.request.body)
        var reader = RefusalReader(request, statements)
        reader.read(response.body)
        guard plan.rules.observe(reader.lessons, of: test.operation) else { return }
        learning.changed.insert(test.operation)
        learning.revision += 1
    }

    /// Repeats the requests of operations that have refused all valid ones, with the rules that their responses state.
    ///
    /// The tests of the operations with rules, and those that depend on them, run again.
    mutating func learn() async {
        var pending = learning.refusing.subtracting(accepted)
        guard !pending.isEmpty else { return }
        var repeated: Set<Int> = []
        for pass in 1...Self.maximumPasses where !pending.isEmpty && !isEnded {
            learning.changed = []
            var examples = options
            examples.phases = [.examples]
            plan = FuzzPlan(judge.contract.description, examples, rules: plan.rules, replacing: plan)
            let tests = plan.learningTests(of: pending, pass: pass)
            await run(tests, after: plan.support(of: tests), in: .overlapping)
            repeated.formUnion(pending)
            pending = learning.changed.intersection(pending).subtracting(accepted)
        }
        plan = FuzzPlan(judge.contract.description, options, rules: plan.rules, replacing: plan)
        let learned = repeated.intersection(plan.rules.learned)
        guard !learned.isEmpty, !isEnded else { return }
        let affected = learned.union(plan.dependents(of: learned))
        let tests = plan.tests.filter { affected.contains($0.operation) }
        await run(tests, after: plan.support(of: tests), in: .overlapping)
    }

    /// The rules that took effect, each in one sentence.
    var lessons: [MessageText] {
        plan.tested.flatMap { operation in
            plan.rules.lessons(of: operation).map { "\(judge.operations[operation].wording): \($0.sentence)" }
        }
    }
}

extension FuzzPlan {
    /// Returns two valid requests of each operation that follow the rules, in the order of the plan.
    ///
    /// They differ from the plan's own requests, which a server may accept only once.
    fileprivate func learningTests(of operations: Set<Int>, pass: Int) -> [GeneratedTest] {
        generator.drafts.filter { operations.contains($0.operation) }.flatMap { draft -> [GeneratedTest] in
            guard let main = main(of: draft.operation), main.request.method != "DELETE" else { return [] }
            return (2 * pass - 1...2 * pass).map { variation in
                var draft = draft
                rules.apply(
                    to: &draft, of: generator.operations[draft.operation], generator.bodies, variation: variation)
                var test = main
                test.name += " with other values (\(variation))"
                test.captures = []
                test.definesName = false
                test.request = generator.request(of: draft, like: main.request, sending: draft.sent)
                return test
            }
        }
    }

    /// Returns the operations whose valid requests need a value from others.
    fileprivate func dependents(of operations: Set<Int>) -> Set<Int> {
        Set(
            tested.filter { operation in
                main(of: operation).map { main in
                    predecessors(of: main).contains { operations.contains($0.operation) }
                } ?? false
            })
    }
}
