import FoundationEssentials
import JSON
import JSONSchema
import Testing

/// A directory of the official test suite, with the documents that its references use.
struct ConformanceSuite {
    /// The location of the suite's data, which is not part of this package.
    static let corpora = ProcessInfo.processInfo.environment["APITEST_CORPORA"]

    /// A schema with values to validate.
    struct Group {
        let file: String
        let description: String
        let schema: JSONValue
        let tests: [JSONValue]
    }

    let groups: [Group]
    let resources: JSONSchemaResources

    /// Reads the files of a directory, such as `draft7`.
    init(directory: String) throws {
        let base = "\(try #require(ConformanceSuite.corpora))/json-schema"
        var groups: [Group] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(base)/\(directory)").sorted() {
            guard name.hasSuffix(".json") else { continue }
            for group in try ConformanceSuite.read("\(base)/\(directory)/\(name)").arrayValue ?? [] {
                groups.append(
                    Group(
                        file: name, description: group["description"]?.stringValue ?? "",
                        schema: try #require(group["schema"]), tests: try #require(group["tests"]?.arrayValue)))
            }
        }
        self.groups = groups
        var resources = JSONSchemaResources()
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(base)/remotes").sorted()
        where path.hasSuffix(".json") {
            resources.add(try ConformanceSuite.read("\(base)/remotes/\(path)"), uri: "http://localhost:1234/\(path)")
        }
        self.resources = resources
    }

    /// Runs the cases of the groups that `selects` accepts.
    ///
    /// - Parameter adapt: Modifies a schema before it is compiled.
    /// - Returns: The number of cases, the number of passed cases, and the errors of the others.
    func run(
        _ dialect: JSONSchemaDialect, where selects: (Group) -> Bool = { _ in true },
        adapt: (JSONValue) -> JSONValue = { $0 }
    ) -> (count: Int, passed: Int, problems: [String]) {
        var count = 0
        var problems: [String] = []
        for group in groups where selects(group) {
            count += group.tests.count
            let schema: JSONSchema
            do {
                schema = try JSONSchema(
                    adapt(group.schema), resources: resources, options: JSONSchemaOptions(dialect: dialect))
            } catch {
                problems += Array(
                    repeating: "\(group.file): \(group.description): refused: \(error)", count: group.tests.count)
                continue
            }
            for test in group.tests {
                guard let problem = ConformanceSuite.problem(with: test, schema) else { continue }
                problems.append(
                    "\(group.file): \(group.description): \(test["description"]?.stringValue ?? ""): \(problem)")
            }
        }
        return (count, count - problems.count, problems)
    }

    private static func problem(with test: JSONValue, _ schema: JSONSchema) -> String? {
        guard let data = test["data"], let valid = test["valid"]?.boolValue else { return "no case" }
        if schema.isValid(data) != valid { return valid ? "must be valid" : "must not be valid" }
        let violations = schema.violations(of: data)
        if violations.isEmpty != valid { return "violations disagree: \(violations)" }
        for violation in violations {
            if violation.message.isEmpty || violation.kind == .limit { return "no message: \(violation)" }
            if ConformanceSuite.value(at: violation.instancePath, in: data) == nil {
                return "the instance path \(violation.instancePath) cannot be resolved"
            }
        }
        return nil
    }

    private static func value(at path: NormalizedPath, in value: JSONValue) -> JSONValue? {
        path.steps.reduce(value) { value, step in
            switch step {
            case .name(let name): value?[name]
            case .index(let index): value?[index]
            }
        }
    }

    private static func read(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: path))))
    }
}
