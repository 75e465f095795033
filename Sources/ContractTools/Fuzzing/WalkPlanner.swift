import Basics
import JSON
import OpenAPI

/// A generator of sequences of random length whose requests create, read, change and delete the same resources.
struct WalkPlanner {
    private static let lengths = 2...12
    /// The maximum number of resources that must exist before another one can be created.
    private static let maximumDepth = 4

    /// A resource that a request of a sequence creates.
    private struct Resource {
        /// The variables of the resource and of those that contain it, by their names in the plan.
        var names: [String: String]
        /// The variables that the creating request defines, by their names in the plan.
        var own: Set<String>
        var isDeleted = false
    }

    private let plan: FuzzPlan
    private var random: SplitMix64
    /// The tests that create a resource, by the variables that they define.
    private var creators: [String: GeneratedTest] = [:]
    /// The tests that belong to a sequence.
    private var tests: [GeneratedTest] = []
    private var resourceCount = 0
    private var stepCount = 0
    private var resources: [Resource] = []
    private var steps: [GeneratedTest] = []

    /// Creates a generator for the operations of a plan.
    ///
    /// - Parameter excluded: The operations without requests.
    init(_ plan: FuzzPlan, seed: UInt64, without excluded: Set<Int> = []) {
        self.plan = plan
        random = SplitMix64(seed: seed)
        let mains = plan.tested.filter { !excluded.contains($0) }.compactMap { plan.main(of: $0) }
            .filter { $0.condition == nil }
        var listed: Set<String> = []
        for main in mains {
            for variable in main.definitions {
                if main.request.method == "POST" || main.request.method == "PUT" {
                    creators[variable] = creators[variable] ?? main
                } else {
                    listed.insert(variable)
                }
            }
        }
        tests = mains.filter { main in
            let used = main.variables
            return used.isDisjoint(with: listed) && !used.union(main.definitions).isDisjoint(with: creators.keys)
        }
    }

    /// The variables of the resources that can be created.
    var kinds: [String] { creators.keys.sorted() }

    /// Returns a sequence of requests. Most of them use resources of one kind.
    mutating func walk(_ kind: String) -> [GeneratedTest] {
        resources = []
        steps = []
        let length = Int.random(in: Self.lengths, using: &random)
        let family = tests.filter { $0.variables.contains(kind) || $0.definitions.contains(kind) }
        for _ in 0..<2 * length where steps.count < length {
            let isElsewhere = UInt8.random(in: 0..<6, using: &random) == 0
            guard let test = (isElsewhere ? tests : family).randomElement(using: &random) else { break }
            add(test)
        }
        return steps
    }

    /// Adds a request, after those that create the resources that it needs.
    private mutating func add(_ test: GeneratedTest, depth: Int = 0) {
        guard depth < Self.maximumDepth else { return }
        let defined = Set(test.definitions)
        var names: [String: String] = [:]
        // Those that other resources contain come last.
        let used = test.variables.subtracting(defined).filter { creators[$0] != nil }
            .sorted { (creators[$0]?.variables.count ?? 0, $0) > (creators[$1]?.variables.count ?? 0, $1) }
        for variable in used where names[variable] == nil {
            guard let resource = resource(variable, names, depth) else { return }
            names.merge(resource.names) { first, _ in first }
        }
        // A `PUT` that names a resource creates it, or changes one that exists.
        let isChange = test.target.contains { defined.contains($0) } && Bool.random(using: &random)
        if isChange, let variable = test.target.first(where: { defined.contains($0) }),
            let known = existing(variable, names)
        {
            names.merge(known.names) { first, _ in first }
        } else if !defined.isEmpty {
            resourceCount += 1
            for variable in defined { names[variable] = "\(variable)_\(resourceCount)" }
            resources.append(Resource(names: names, own: defined))
        }
        stepCount += 1
        let isNew = !defined.isEmpty && !isChange
        steps.append(plan.step(test, number: stepCount, creates: isNew, using: &random).renaming(names))
        guard test.request.method == "DELETE" else { return }
        let deleted = Set(test.target.compactMap { names[$0] })
        for index in resources.indices {
            let own = resources[index].own.compactMap { resources[index].names[$0] }
            if own.contains(where: { deleted.contains($0) }) { resources[index].isDeleted = true }
        }
    }

    /// Returns a resource with a variable, which is created if there is none.
    private mutating func resource(_ variable: String, _ names: [String: String], _ depth: Int) -> Resource? {
        if let known = existing(variable, names) { return known }
        guard let creator = creators[variable] else { return nil }
        add(creator, depth: depth + 1)
        return resources.last { $0.own.contains(variable) && Self.agree($0.names, names) }
    }

    /// Returns one of the resources with a variable. Deleted ones are seldom chosen.
    private mutating func existing(_ variable: String, _ names: [String: String]) -> Resource? {
        let known = resources.filter { $0.own.contains(variable) && Self.agree($0.names, names) }
        let wantsDeleted = UInt8.random(in: 0..<4, using: &random) == 0
        let preferred = known.filter { $0.isDeleted == wantsDeleted }
        return (preferred.isEmpty && wantsDeleted ? known : preferred).randomElement(using: &random)
    }

    private static func agree(_ names: [String: String], _ others: [String: String]) -> Bool {
        names.allSatisfy { others[$0.key] == nil || others[$0.key] == $0.value }
    }
}

extension FuzzPlan {
    private static let variations = 50

    /// Returns a request of a sequence, which has other values than the valid request of its operation.
    ///
    /// - Parameters:
    ///   - number: The number of the request among those of all sequences.
    ///   - creates: Whether the request creates a resource for the following ones.
    fileprivate func step(
        _ main: GeneratedTest, number: Int, creates: Bool, using random: inout SplitMix64
    ) -> GeneratedTest {
        var test = main
        test.name = "\(main.name) (\(number))"
        test.intent = .variant(isCertain: false)
        test.isRandom = true
        test.definesName = creates && main.definesName
        if !creates { test.captures = [] }
        let variation = Int.random(in: 0..<Self.variations, using: &random)
        guard variation > 0, var draft = generator.drafts.first(where: { $0.operation == main.operation }) else {
            return repeatingName(test)
        }
        rules.apply(to: &draft, of: operations[main.operation], generator.bodies, variation: variation)
        if let chosen = main.chosen, let member = chosen.member, let body = draft.body,
            var object = body.value?.objectValue
        {
            object[member] = chosen.value
            draft.body = generator.bodies.body(body, with: .object(object)) ?? body
        }
        test.request = generator.request(of: draft, like: main.request, sending: draft.sent)
        return repeatingName(test.sending(options.fieldNames))
    }
}
