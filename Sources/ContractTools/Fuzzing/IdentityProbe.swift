import Basics
import JSON
import OpenAPI
import RunModel

/// A search for objects of one user that another user can read.
struct IdentityProbe {
    private static let identifiers: Set = ["id", "uuid", "guid", "key"]

    let plan: FuzzPlan
    /// The header field of the second user. Those of the first one are in the defaults of all requests.
    let other: (name: String, value: String)
    let execution: SuiteExecution

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
        let results = await execution.results(of: plan.suite(of: tests, .serial))
        guard results.count == tests.count else { return nil }
        let exchanges = results.map { $0?.steps.last?.exchange }
        let first = support.count
        let names = plan.operations[test.operation].template.parameterNames.map { $0.lowercased() }
        guard let own = exchanges[first].flatMap(Self.object), let read = exchanges[first + 1],
            let seen = Self.object(read), Self.isSame(own, seen, identifiedBy: names)
        else { return nil }
        // An object is not protected if anybody may read it, or if a list shows it to the other user.
        if let open = exchanges[first + 2].flatMap(Self.object), Self.isSame(own, open, identifiedBy: names) {
            return nil
        }
        if tests.count > first + 3, let listed = exchanges[first + 3].flatMap(Self.body),
            Self.objects(listed).contains(where: { Self.isSame(own, $0, identifiedBy: names) })
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
        var changed = plan.withoutCredentials(test)
        changed.request.headers.removeAll { $0.0.lowercased() == other.name.lowercased() }
        changed.request.headers.append((other.name, .text(SuiteNode.escaped(other.value))))
        changed.name = test.name + " as another user"
        return changed
    }

    /// Returns a test without the credentials of any user.
    private func anonymous(_ test: GeneratedTest) -> GeneratedTest {
        var changed = plan.withoutCredentials(test)
        if !changed.request.headers.contains(where: { $0.0.lowercased() == other.name.lowercased() }) {
            changed.request.headers.append((other.name, .plain("null")))
        }
        changed.name = test.name + " without credentials of a user"
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
    ///
    /// - Parameter names: The names of the parameters that identify the object, in lowercase.
    private static func isSame(_ left: JSONObject, _ right: JSONObject, identifiedBy names: [String]) -> Bool {
        func isIdentifier(_ name: String) -> Bool {
            let name = name.lowercased()
            return identifiers.contains(name) || names.contains(name) || name.hasSuffix("id")
        }
        let common = left.filter { right.contains($0.key) }
        return common.allSatisfy { right[$0.key] == $0.value } && common.contains { isIdentifier($0.key) }
            && common.contains { !isIdentifier($0.key) && !$0.value.isNull }
    }
}

extension FuzzPlan {
    /// Returns whether an operation needs no credentials although others do.
    func isOpenOnPurpose(_ operation: Int) -> Bool {
        operations.contains { !$0.security.isEmpty } && SecurityPlan.isOpen(operations[operation])
    }

    /// Returns a test without the credentials of the user who sends all other requests.
    func withoutCredentials(_ test: GeneratedTest) -> GeneratedTest {
        var test = test
        test.captures = []
        var names = options.login?.fields.map(\.name) ?? []
        if let login = options.login {
            let plan = SecurityPlan(description: generator.description, login: login)
            let own = try? plan.credentials(for: operations[test.operation])
            test.request.headers.removeAll { entry in own?.headers.contains { $0.0 == entry.0 } ?? false }
            test.request.query.removeAll { entry in own?.query.contains { $0.0 == entry.0 } ?? false }
            test.request.cookies.removeAll { entry in own?.cookies.contains { $0.0 == entry.0 } ?? false }
            test.request.auth = .text("none")
        } else if let first = options.identities.first {
            names.append(first.header.name)
        }
        let fields = Set(names.map { $0.lowercased() })
        test.request.headers.removeAll { fields.contains($0.0.lowercased()) }
        test.request.headers += names.map { ($0, .plain("null")) }
        return test
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
