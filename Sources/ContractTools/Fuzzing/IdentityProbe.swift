import Basics
import JSON
import OpenAPI
import RunModel

/// A search for objects of one user that another user can read.
struct IdentityProbe {
    private static let identifiers: Set = ["id", "uuid", "guid", "key"]

    let plan: FuzzPlan
    /// The header fields of the second user. Those of the first one are in the defaults of all requests.
    let other: [(name: String, value: String)]
    let execution: FuzzRun.Execution

    /// Returns the findings of all operations that read one resource.
    func findings() async -> [FuzzFinding] {
        var found: [FuzzFinding] = []
        for test in plan.tests {
            guard case .valid = test.intent, test.request.method == "GET",
                plan.operations[test.operation].template.lastSlot != nil, plan.recreates(test),
                // An operation with other requirements than the description is open on purpose.
                !plan.isOpenOnPurpose(test.operation), let finding = await finding(test)
            else { continue }
            found.append(finding)
        }
        return found
    }

    /// Reads a new resource of the first user as both users and as nobody.
    private func finding(_ test: GeneratedTest) async -> FuzzFinding? {
        let support = plan.predecessors(of: test)
        let foreign = foreign(test)
        var tests = support + [test, foreign, anonymous(test)]
        if let list = plan.list(of: test) { tests.append(self.foreign(list)) }
        let results = await execution(plan.suite(of: tests, isSerial: true))
        guard results.count == tests.count else { return nil }
        let exchanges = results.map { $0.steps.last?.exchange }
        let first = support.count
        guard let own = exchanges[first].flatMap(Self.object), let read = exchanges[first + 1],
            let seen = Self.object(read), Self.isSame(own, seen)
        else { return nil }
        // An object is not protected if anybody may read it, or if a list shows it to the other user.
        if let open = exchanges[first + 2].flatMap(Self.object), Self.isSame(own, open) { return nil }
        if tests.count > first + 3, let listed = exchanges[first + 3].flatMap(Self.body),
            Self.objects(listed).contains(where: { Self.isSame(own, $0) })
        {
            return nil
        }
        let status = read.response?.status ?? 0
        return FuzzFinding(
            check: .foreignObject, test: foreign,
            message: "another user can read the object, with status \(status) and the same values", exchange: read)
    }

    /// Returns a test as the second user sends it.
    private func foreign(_ test: GeneratedTest) -> GeneratedTest {
        var changed = test
        let names = Set(other.map { $0.name.lowercased() })
        changed.request.headers.removeAll { names.contains($0.0.lowercased()) }
        changed.request.headers += other.map { ($0.name, .text(SuiteNode.escaped($0.value))) }
        changed.name = test.name + " as another user"
        changed.captures = []
        return changed
    }

    /// Returns a test without the header fields of any user.
    private func anonymous(_ test: GeneratedTest) -> GeneratedTest {
        var changed = test
        let names = Set(other.map { $0.name.lowercased() })
        changed.request.headers.removeAll { names.contains($0.0.lowercased()) }
        changed.request.headers += other.map { ($0.name, .plain("null")) }
        changed.name = test.name + " without credentials of a user"
        changed.captures = []
        return changed
    }

    // MARK: Comparison

    private static func body(_ exchange: Exchange) -> JSONValue? {
        guard let response = exchange.response, response.status / 100 == 2 else { return nil }
        return try? JSONParser().parse(response.body)
    }

    private static func object(_ exchange: Exchange) -> JSONObject? { body(exchange)?.objectValue }

    private static func objects(_ value: JSONValue) -> [JSONObject] {
        switch value {
        case .array(let elements): elements.flatMap(objects)
        case .object(let object): [object] + object.flatMap { objects($0.value) }
        case .null, .bool, .number, .string: []
        }
    }

    /// Returns whether two objects agree in all common members. They need one besides identifiers.
    private static func isSame(_ left: JSONObject, _ right: JSONObject) -> Bool {
        let common = left.filter { right.contains($0.key) }
        return common.allSatisfy { right[$0.key] == $0.value }
            && common.contains { identifiers.contains($0.key.lowercased()) || $0.key.lowercased().hasSuffix("id") }
            && common.contains {
                !identifiers.contains($0.key.lowercased()) && !$0.key.lowercased().hasSuffix("id") && !$0.value.isNull
            }
    }
}

extension FuzzPlan {
    /// Returns whether an operation needs no credentials although others do.
    func isOpenOnPurpose(_ operation: Int) -> Bool {
        operations.contains { !$0.security.isEmpty } && SecurityPlan.isOpen(operations[operation])
    }

    /// Returns the test that lists the resources among which another test reads one.
    func list(of test: GeneratedTest) -> GeneratedTest? {
        guard let slot = operations[test.operation].template.lastSlot else { return nil }
        let collection = String(slot.prefix.dropLast(3))
        return tests.first { list in
            guard case .valid = list.intent, list.request.method == "GET" else { return false }
            let shape = operations[list.operation].template.shape
            return shape == collection || shape == collection + "/"
        }
    }
}
