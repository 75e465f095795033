import Basics
import ContractTools
import Diagnostics
import FileSystem
import JSON
import OpenAPI
import RunModel
import Runner
import SuiteLoader
import SuiteModel
import YAML

/// The login that `--auth FILE#NAME` names: a test or the setup of a suite, or a fragment.
struct LoginTest {
    /// The kinds of keys of a test that do not belong to its step.
    private static let ownKeys: Set = [
        "id", "description", "owner", "tags", "skip", "xfail", "only", "needs", "lock", "cases", "matrix", "repeat",
        "finally", "cookieJar", "verbose", "if", "steps",
    ]
    private static let setup = "setup"
    /// The name of the fragment that repeats a test in the suites of findings, and of its file.
    private static let (fragment, fragmentFile) = ("fuzzLogin", "login.yaml")

    /// The argument of the option.
    let argument: String
    /// The name of the test, the setup or the fragment.
    let name: String
    /// The path of the file as given by the user.
    let path: String
    /// The suite with the login and the tests that it depends on.
    private let suite: Suite
    /// The index of the login among the tests of the suite.
    private let index: Int
    private let isFragment: Bool
    private let settings: WrittenSettings
    /// The values that are known to be secret before the run.
    let secretValues: [String]

    /// Parses an argument.
    ///
    /// - Returns: The path and the name; `nil` if the argument does not consist of both.
    static func parts(of argument: String) -> (path: String, name: String)? {
        guard let sign = argument.firstIndex(of: "#"), sign > argument.startIndex else { return nil }
        let name = argument[argument.index(after: sign)...]
        return name.isEmpty ? nil : (String(argument[..<sign]), String(name))
    }

    /// Loads the login.
    ///
    /// - Throws: ``ExitStatus/invalid`` if there is no such login, or its file is invalid. The error is printed.
    init(_ argument: String, _ command: ContractFuzzCommand, environment: [String: String]) throws {
        self.argument = argument
        let (path, name) = Self.parts(of: argument) ?? (argument, "")
        self.path = path
        self.name = name
        let color = command.descriptionOptions.color
        let absolute = Path.absolute(path, in: Path.workingDirectory)
        guard File.kind(of: absolute) == .file, let bytes = try? File.bytes(at: absolute) else {
            throw Self.unknownFile(argument, path, color: color)
        }
        let root = YAMLStream.parse(SourceFile(name: path, text: bytes)).documents.first?.json.objectValue
        isFragment = root.map { $0.contains("fragments") && !$0.contains("tests") } ?? false
        if isFragment {
            let fragments = root?["fragments"]?.objectValue ?? JSONObject()
            guard let fragment = fragments[name] else {
                throw Self.unknown("fragment", argument, path, name, among: fragments.map(\.key), color: color)
            }
            try Self.checkParameters(of: fragment, argument, name, color: color)
        }
        let loaded = try Self.load(path, fragment: isFragment ? name : nil, command, environment: environment)
        secretValues = loaded.secretValues
        var found: (suite: Suite, index: Int)?
        for suite in loaded.suites where found == nil {
            let tests = suite.tests
            let index =
                tests.firstIndex { $0.kind == .test && ($0.id == name || $0.name == name) }
                ?? (name == Self.setup ? tests.firstIndex { $0.kind == .setup } : nil)
            found = index.map { (suite, $0) }
        }
        guard let found else {
            let names = loaded.suites.flatMap(\.tests).filter { $0.kind == .test }.map(\.name)
            throw Self.unknown("test", argument, path, name, among: names, color: color)
        }
        guard found.suite.tests[found.index].data == nil else {
            throw Self.problem(
                "the test \"\(name)\" has several rows, and a login needs one", argument, name, color: color)
        }
        (suite, index) = found
        settings = WrittenSettings(
            path: absolute, document: found.suite.documentIndex, environment: found.suite.environment)
    }

    /// The names of the captures and outputs, each once.
    var outputs: [String] {
        var names: [String] = []
        for step in suite.tests[index].body {
            for (name, _) in step.definedNames where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the plan of the login, and of the tests that it depends on, against a server.
    func plan(baseURL: String) -> TestPlan {
        var suite = suite
        suite.serve = nil
        suite.baseURL = .constant(baseURL)
        suite.contract = nil
        // The teardown may log out.
        suite.tests.removeAll { $0.kind == .teardown }
        for index in suite.tests.indices { suite.tests[index].isOnly = false }
        let whole = TestPlan(suites: [suite])
        return whole.keeping { [index] in whole.tests[$0].test == index }
    }

    // MARK: Suites of findings

    /// Returns the login as the suites of findings repeat it, and the text of the file that they need for it, if any.
    ///
    /// - Parameters:
    ///   - directory: The absolute path of the directory of the suites.
    ///   - description: The description whose security schemes take the outputs.
    /// - Throws: ``ExitStatus/invalid`` if no output is a credential. The error is printed.
    func replayed(
        in directory: String, _ description: OpenAPIDescription, color: ColorChoice
    ) throws -> (login: FuzzLogin, file: (name: String, text: String)?) {
        let file = Self.fragmentFile
        let own = Path.relative(File.realPath(absolutePath) ?? absolutePath, to: directory)
        let login = FuzzLogin(
            file: isFragment ? own : file, fragment: isFragment ? name : Self.fragment, outputs: outputs,
            fields: fields, description: description)
        guard var login else {
            let expected = FuzzLogin.expectedOutputs(description).map { "\"\($0)\"" }.joined(separator: " or ")
            let given = outputs.isEmpty ? "nothing" : outputs.map { "\"\($0)\"" }.joined(separator: ", ")
            throw Self.problem(
                "the login captures no credential: expected \(expected), got \(given)", argument, name, color: color)
        }
        guard !isFragment else { return (login, nil) }
        if let dotenv = settings.value(of: "dotenv", relativeTo: directory) {
            login.dotenv = dotenv.arrayValue?.compactMap(\.stringValue) ?? dotenv.stringValue.map { [$0] } ?? []
        }
        return (login, (file, text(in: directory)))
    }

    private var absolutePath: String { Path.absolute(path, in: Path.workingDirectory) }

    /// The header fields of the suite's defaults whose values contain expressions.
    private var fields: [(name: String, value: String)] {
        let defaults = settings.values["defaults"]
        var fields: [(name: String, value: String)] = []
        for (name, value) in defaults?["headers"]?.objectValue ?? JSONObject() {
            if let text = value.stringValue, text.contains("${") { fields.append((name, text)) }
        }
        if let token = defaults?["auth"]?["bearer"]?.stringValue { fields.append(("Authorization", "Bearer \(token)")) }
        if let key = defaults?["auth"]?["apiKey"], let name = key["header"]?.stringValue,
            let value = key["value"]?.stringValue
        {
            fields.append((name, value))
        }
        let cookies = (defaults?["cookies"]?.objectValue ?? JSONObject()).compactMap { cookie in
            cookie.value.stringValue.map { "\(cookie.key)=\($0)" }
        }
        if !cookies.isEmpty { fields.append(("Cookie", cookies.joined(separator: "; "))) }
        return fields
    }

    /// Returns the text of a fragment file that repeats the login.
    private func text(in directory: String) -> String {
        var fragment = JSONObject()
        fragment["outputs"] = .array(outputs.map { .string($0) })
        let written = needed.map(written)
        let variables = written.compactMap(\.variables).flatMap { $0.map { ($0.key, $0.value) } }
        if !variables.isEmpty { fragment["variables"] = .object(JSONObject(variables)) }
        fragment["steps"] = .array(written.flatMap(\.steps))
        var kept = JSONObject()
        for key in ["use", "secrets", "namespaces", "schemas", "defaults"] {
            kept[key] = settings.value(of: key, relativeTo: directory)
        }
        var fragments = JSONObject()
        let steps = JSONValue.object(fragment).serialized()
        for (name, own) in settings.document["fragments"]?.objectValue ?? JSONObject() where steps.contains(name) {
            fragments[name] = own
        }
        fragments[Self.fragment] = .object(fragment)
        let used = settings.variables(usedBy: JSONValue.array([.object(kept), .object(fragments)]).serialized())
        if !used.isEmpty { kept["variables"] = .object(used) }
        let kind = suite.tests[index].kind == .setup ? "the setup" : "the test \"\(name)\""
        return FuzzLogin.fragmentFile(
            description: "Logs in like \(kind) of \(Path.lastComponent(of: path)).", settings: kept,
            fragments: fragments)
    }

    /// The indices of the login and of the tests that provide what it uses, in file order.
    private var needed: [Int] {
        var needed: Set = [index]
        var pending = [index]
        while let next = pending.popLast() {
            for edge in suite.tests[next].dependencies where edge.reason != .order {
                if needed.insert(edge.test).inserted { pending.append(edge.test) }
            }
        }
        return needed.sorted()
    }

    /// Returns the steps of a test as they are written, and its variables.
    private func written(_ index: Int) -> (steps: [JSONValue], variables: JSONObject?) {
        let document = settings.document
        if suite.tests[index].kind == .setup { return (document["setup"]?.arrayValue ?? [], nil) }
        let position = suite.tests[..<index].count { $0.kind == .test }
        let tests = document["tests"]?.arrayValue ?? []
        guard tests.indices.contains(position), let test = tests[position].objectValue else { return ([], nil) }
        if let steps = test["steps"]?.arrayValue { return (steps, test["variables"]?.objectValue) }
        let step = test.filter { !Self.ownKeys.contains($0.key) && !$0.key.hasPrefix("x-") }
        return ([.object(JSONObject(step.map { ($0.key, $0.value) }))], nil)
    }

    // MARK: Loading

    private static func load(
        _ path: String, fragment: String?, _ command: ContractFuzzCommand, environment: [String: String]
    ) throws -> LoadResult {
        let directory = Path.workingDirectory
        var options = LoaderOptions(
            fileRoot: command.descriptionOptions.fileRoot.map { Path.absolute($0, in: directory) } ?? directory,
            workingDirectory: directory)
        options.processEnvironment = environment
        let loaded: LoadResult
        if let fragment {
            let text = JSONValue.object([
                "baseURL": .string("http://127.0.0.1"), "use": .string(Path.lastComponent(of: path)),
                "tests": .array([.object(["name": .string(fragment), "call": .string(fragment)])]),
            ])
            loaded = SuiteLoader(options: options).load(
                SourceFile(name: "--auth", text: text.serializedBytes()),
                absolutePath: Path.parent(of: Path.absolute(path, in: directory)) + "/auth.apitest.yaml")
        } else {
            options.environment = command.environment
            loaded = SuiteLoader(options: options).load(paths: [path])
        }
        command.descriptionOptions.printDiagnostics(loaded.diagnostics.filter { $0.severity == .error })
        guard !loaded.hasErrors else { throw ExitStatus.invalid }
        return loaded
    }

    /// Checks that a fragment can be called without arguments.
    private static func checkParameters(
        of fragment: JSONValue, _ argument: String, _ name: String, color: ColorChoice
    ) throws {
        var required = fragment["parameters"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for (name, value) in fragment["parameters"]?.objectValue ?? JSONObject() where value.isNull {
            required.append(name)
        }
        guard let first = required.first else { return }
        throw problem(
            "the fragment \"\(name)\" requires \"\(first)\"", argument, name,
            suggestion: "name a test that calls it with arguments", color: color)
    }

    // MARK: Errors

    private static func unknownFile(_ argument: String, _ path: String, color: ColorChoice) -> ExitStatus {
        let absolute = Path.absolute(path, in: Path.workingDirectory)
        let names = (File.names(inDirectory: Path.parent(of: absolute)) ?? []).filter {
            $0.hasSuffix(".yaml") || $0.hasSuffix(".yml")
        }
        return ArgumentProblem(
            option: "--auth", text: argument, id: "missing-file", message: "\"\(path)\" is not a file", offset: 0,
            length: path.unicodeScalars.count,
            suggestion: Spelling.suggestion(for: Path.lastComponent(of: path), among: names)
        ).report(color: color)
    }

    private static func unknown(
        _ kind: String, _ argument: String, _ path: String, _ name: String, among known: [String], color: ColorChoice
    ) -> ExitStatus {
        let list = known.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        let suggestion: MessageText? =
            Spelling.suggestion(for: name, among: known) ?? (known.isEmpty ? nil : "expected \(list)")
        return problem(
            "\(path) has no \(MessageText(words: kind)) \"\(name)\"", argument, name, suggestion: suggestion,
            color: color)
    }

    private static func problem(
        _ message: MessageText, _ argument: String, _ name: String, suggestion: MessageText? = nil, color: ColorChoice
    ) -> ExitStatus {
        ArgumentProblem(
            option: "--auth", text: argument, id: "unknown-login", message: message,
            offset: argument.unicodeScalars.count - name.unicodeScalars.count, length: name.unicodeScalars.count,
            suggestion: suggestion
        ).report(color: color)
    }
}
