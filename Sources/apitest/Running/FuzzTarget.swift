import APITestKit
import Basics
import Diagnostics
import FileSystem
import JSON
import OpenAPI
import Reports
import RunModel
import Runner
import SuiteLoader
import SuiteModel
import YAML

/// The server that a fuzz run searches: that of `--url`, or that of a suite with a contract.
struct FuzzTarget {
    /// The description of the server.
    let description: OpenAPIDescription
    /// The path of the description.
    let file: String
    /// The URL of `--url`, or `nil` if the suite determines it.
    private let url: String?
    private let plan: TestPlan?
    private let color: ColorChoice

    /// Reads the description, or the suite with its contract. Invalid parts of the description are left out.
    ///
    /// - Throws: ``ExitStatus/invalid`` if a file is invalid. The error is printed.
    init(_ command: ContractFuzzCommand, environment: [String: String]) throws {
        url = command.url
        color = command.descriptionOptions.color
        if Self.isSuite(command.file) {
            let suite = try Self.suite(command, environment: environment)
            guard let contract = suite.contract?.contract else {
                throw ExitStatus.invalid(
                    .missingContract,
                    because: "contract fuzz: \(command.file) has no `contract`: add one, or pass the description")
            }
            description = contract.description
            file = Self.shown(contract.description.root.file.location)
            plan = TestPlan(suites: [suite])
            return
        }
        guard url != nil else {
            throw ExitStatus.invalid(
                .missingOption,
                because: "contract fuzz: --url is required: the requests change data, so name a test server")
        }
        plan = nil
        file = command.file
        let source = try DescriptionArgument(file, options: command.descriptionOptions, command: "contract fuzz")
        let (description, problems) = OpenAPILoader(source: source).load(source.location, isStrict: command.strict)
        let errors = problems.filter { $0.severity == .error }
        if command.strict || description == nil { command.descriptionOptions.printDiagnostics(errors) }
        guard let description, !command.strict || errors.isEmpty else { throw ExitStatus.invalid }
        self.description = description
    }

    /// Returns the keys of a suite in a directory that starts the same server; `nil` if the server is already running.
    func server(in directory: String) -> JSONObject? {
        guard url == nil, let suite = plan?.suites.first, suite.serve != nil else { return nil }
        let path = Path.absolute(Path.lastComponent(of: suite.path), in: suite.directory)
        return WrittenSettings(path: path, document: suite.documentIndex, environment: suite.environment)
            .server(in: directory)
    }

    /// Calls a function with the URL of the server, which runs meanwhile if the suite starts it.
    ///
    /// - Throws: ``ExitStatus/invalid`` if there is no URL, or the server does not become ready. The error is printed.
    func running<Result>(
        _ runner: CaseRunner, _ body: (_ url: String) async throws -> Result
    ) async throws -> Result {
        guard url == nil, let plan else { return try await body(Self.trimmed(url ?? "")) }
        do {
            return try await SuiteServer.running(
                plan, options: runner.options, startMock: MockStarter.start, sink: { runner.send($0) }
            ) { url in
                guard let url else {
                    throw ExitStatus.invalid(
                        .missingOption,
                        because: "contract fuzz: the suite has neither `serve` nor `baseURL`: pass --url")
                }
                return try await body(Self.trimmed(url))
            }
        } catch let failure as SuiteServer.Failure {
            var options = DescriptionOptions()
            options.color = color
            options.printDiagnostics([failure.diagnostic])
            throw ExitStatus.invalid
        }
    }

    /// Returns a URL without the slashes at its end, which the documented paths begin with.
    private static func trimmed(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// Returns whether a file is a suite rather than a description.
    private static func isSuite(_ path: String) -> Bool {
        guard let bytes = try? File.bytes(at: Path.absolute(path, in: Path.workingDirectory)),
            let root = YAMLStream.parse(SourceFile(name: path, text: bytes)).documents.first?.json.objectValue
        else { return false }
        return !root.contains("openapi") && !root.contains("swagger")
            && ["contract", "serve", "tests", "baseURL"].contains { root.contains($0) }
    }

    /// Returns an absolute path relative to the working directory, if it is below.
    private static func shown(_ path: String) -> String {
        let prefix = Path.workingDirectory + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    private static func suite(_ command: ContractFuzzCommand, environment: [String: String]) throws -> Suite {
        let directory = Path.workingDirectory
        var options = LoaderOptions(
            fileRoot: command.descriptionOptions.fileRoot.map { Path.absolute($0, in: directory) } ?? directory,
            workingDirectory: directory, variables: [:])
        options.environment = command.environment
        options.processEnvironment = environment
        let loaded = SuiteLoader(options: options).load(paths: [command.file])
        command.descriptionOptions.printDiagnostics(loaded.diagnostics.filter { $0.severity == .error })
        guard !loaded.hasErrors, let suite = loaded.suites.first else { throw ExitStatus.invalid }
        return suite
    }
}
