import CEL
import Diagnostics
import FileSystem
import Glibc
import JSON
import Redaction
import Reports
import Runner
import SuiteLoader
import SuiteModel

/// The options for loading suites.
struct SuiteOptions: OptionGroup {
    var paths: [String] = []
    var variable: [String] = []
    var variablesFile: [String] = []
    var environment: String?
    var contract: String?
    var schemaOptions = SchemaFileOptions()
    var fileRoot: String?
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .arguments(
                "path", \.paths,
                "Suite files, directories of *.apitest.yaml, or PATH:LINE (default: .)",
                completion: .files(["yaml", "yml"])),
            .option(
                "variable", value: "name=value", \.variable,
                "Set a variable: NAME=TEXT, or NAME:=JSON for a typed value"),
            .option(
                "variables-file", value: "file", \.variablesFile,
                "YAML or JSON file of variables; later files override earlier ones",
                completion: .files(["yaml", "yml", "json"])),
            .option(
                "environment", value: "name", \.environment, "Select an environment of the suites",
                completion: .words(SuiteCompletions.environments)),
            .option(
                "contract", value: "file", \.contract,
                "OpenAPI description to validate against, for suites without a contract",
                completion: .files(["yaml", "yml", "json"])),
            .group(\.schemaOptions),
            .option(
                "file-root", value: "directory", \.fileRoot,
                "Directory that must contain all referenced files (default: current)",
                completion: .directories),
            .option("color", \.color, "When to use color"),
        ]
    }

    func validate() throws {
        try Self.check(paths)
        _ = try variables()
    }

    /// Checks that no path is empty, as it is for an unset shell variable.
    ///
    /// It would mean the working directory.
    ///
    /// - Throws: ``UsageError`` if a path is empty.
    static func check(_ paths: [String]) throws {
        if paths.contains("") {
            throw UsageError(.invalidOption, "a path is empty: write \".\" for the current directory")
        }
    }

    /// Checks that there is a path, or that the working directory contains suites, which are used without one.
    ///
    /// - Throws: ``UsageError`` if there is neither.
    func requireSuites() throws {
        guard paths.isEmpty else { return }
        var finder = SuiteFinder(workingDirectory: Path.workingDirectory)
        finder.add(".")
        if finder.files.isEmpty {
            throw UsageError(
                .noSuites, "no suites in this directory: pass a path, or create a suite with \"apitest init\"")
        }
    }

    /// The absolute path of the file root.
    var absoluteFileRoot: String {
        guard let fileRoot else { return Path.workingDirectory }
        return Path.absolute(fileRoot, in: Path.workingDirectory)
    }

    /// Returns the paths without `:LINE` suffixes, and the locations that had one; the working directory if there are
    /// no paths.
    func splitPaths() -> (paths: [String], locations: [TestSelection.Location]) {
        if paths.isEmpty { return (["."], []) }
        var files: [String] = []
        var known: Set<String> = []
        var locations: [TestSelection.Location] = []
        for path in paths {
            var file = path
            if let colon = path.lastIndex(of: ":"), let line = Int32(path[path.index(after: colon)...]), line > 0,
                access(path, F_OK) != 0
            {
                file = String(path[..<colon])
                locations.append(TestSelection.Location(path: file, line: line))
            }
            if known.insert(file).inserted { files.append(file) }
        }
        return (files, locations)
    }

    /// Returns the variables from `--variable`.
    ///
    /// - Throws: ``UsageError`` if one is neither NAME=TEXT nor NAME:=JSON.
    func variables() throws -> [String: CELValue] {
        var result: [String: CELValue] = [:]
        for text in variable {
            guard let equals = text.firstIndex(of: "=") else {
                throw UsageError(.invalidOption, "--variable \(text): write NAME=TEXT, or NAME:=JSON for a typed value")
            }
            var name = text[..<equals]
            let value = String(text[text.index(after: equals)...])
            let isJSON = name.last == ":"
            if isJSON { name.removeLast() }
            if let problem = VariableNames.problem(of: String(name)) {
                throw UsageError(
                    .invalidOption,
                    "--variable \(text): \(problem.message)\(problem.suggestion.map { "; \($0)" } ?? "")")
            }
            guard isJSON else {
                result[String(name)] = .string(value)
                continue
            }
            do {
                result[String(name)] = CELValue(
                    try JSONParser(duplicateMembers: .reject).parse(Array(value.utf8)))
            } catch {
                throw UsageError(
                    .invalidOption, "--variable \(text): the value is not valid JSON: \(error.explanation)")
            }
        }
        return result
    }

    /// Loads the suites, prints all problems, and exits with status 2 if there is an error.
    ///
    /// - Parameters:
    ///   - missingLibrary: The severity of a missing library that a run would need.
    ///   - files: The suite files, or `nil` for the files of the paths.
    func load(missingLibrary: Severity = .error, files: [String]? = nil) throws -> LoadedSuites {
        let loaded = try loadAll(missingLibrary: missingLibrary, files: files)
        printDiagnostics(loaded.mask.masked(loaded.suites.diagnostics))
        if loaded.suites.hasErrors { throw ExitStatus.invalid }
        return loaded
    }

    /// Loads the suites and returns them with all problems.
    ///
    /// - Parameters:
    ///   - missingLibrary: The severity of a missing library that a run would need.
    ///   - files: The suite files, or `nil` for the files of the paths.
    func loadAll(missingLibrary: Severity, files: [String]? = nil) throws -> LoadedSuites {
        let (paths, locations) = splitPaths()
        let (fileVariables, problems) = Self.variables(ofFiles: variablesFile)
        let variables = fileVariables.merging(try self.variables()) { $1 }
        let loader = loader(variables: variables, missingLibrary: missingLibrary)
        var result = loader.load(paths: files ?? paths)
        result.diagnostics = problems + result.diagnostics
        let mask = SecretMask(result.secretValues)
        return LoadedSuites(
            suites: result, locations: Self.known(locations, in: result), variables: variables, mask: mask)
    }

    /// Creates the loader described by the options.
    func loader(variables: [String: CELValue] = [:], missingLibrary: Severity = .error) -> SuiteLoader {
        var options = LoaderOptions(
            fileRoot: absoluteFileRoot, workingDirectory: Path.workingDirectory,
            variables: variables.mapValues(\.text))
        options.typedVariables = variables
        options.missingLibrarySeverity = missingLibrary
        options.environment = environment
        options.contract = contract
        options.schemas = schemaOptions.files
        options.processEnvironment = ProcessEnvironment.variables()
        return SuiteLoader(options: options)
    }

    /// Returns locations with the paths of their files among the loaded suites, which a directory may have named
    /// differently.
    private static func known(_ locations: [TestSelection.Location], in result: LoadResult) -> [TestSelection.Location]
    {
        if locations.isEmpty { return [] }
        let paths = Set(result.suites.map(\.path))
        if locations.allSatisfy({ paths.contains($0.path) }) { return locations }
        var pathsByFile: [String: String] = [:]
        for suite in result.suites {
            guard let file = Path.real(suite.path), pathsByFile[file] == nil else { continue }
            pathsByFile[file] = suite.path
        }
        return locations.map { location in
            if paths.contains(location.path) { return location }
            let path = Path.real(location.path).flatMap { pathsByFile[$0] }
            return TestSelection.Location(path: path ?? location.path, line: location.line)
        }
    }

    /// Returns the variables from `--variables-file` and the problems with the files.
    ///
    /// A later file takes precedence.
    static func variables(ofFiles paths: [String]) -> (variables: [String: CELValue], diagnostics: [Diagnostic]) {
        var variables: [String: CELValue] = [:]
        var diagnostics: [Diagnostic] = []
        for path in paths {
            let file = VariablesFile.read(path, workingDirectory: Path.workingDirectory)
            for (name, value) in file.variables { variables[name] = CELValue(value) }
            diagnostics += file.diagnostics
        }
        return (variables, diagnostics)
    }

    /// Prints problems to standard error.
    func printDiagnostics(_ diagnostics: [Diagnostic]) {
        guard !diagnostics.isEmpty else { return }
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(TextRenderer(color: isColored).render(diagnostics))
        let errors = diagnostics.count { $0.severity == .error }
        if errors > 0 { StandardError.write("\(errors) \(errors == 1 ? "problem" : "problems"), nothing was sent\n") }
    }
}

/// The suites loaded by a command.
struct LoadedSuites {
    /// The suites, which have no errors.
    var suites: LoadResult
    /// The locations given as PATH:LINE.
    var locations: [TestSelection.Location]
    /// The variables of the command line and its files.
    var variables: [String: CELValue]
    /// A mask for the secrets of the suites.
    var mask: SecretMask
}

/// The options that map the URIs of references to files.
struct SchemaFileOptions: OptionGroup {
    var schema: [String] = []

    static var syntax: [Syntax] {
        [
            .option(
                "schema", value: "uri=file", \.schema,
                "Map a $ref URI to a local file, or a URI ending in / to a directory")
        ]
    }

    /// The URIs and their files.
    var files: [(uri: String, file: String)] { schema.compactMap { Self.parts(ofSchema: $0) } }

    func validate() throws {
        for entry in schema where Self.parts(ofSchema: entry) == nil {
            throw UsageError(
                .invalidOption,
                "--schema \(entry): write a URI and a file, such as https://example.com/book.json=book.json")
        }
    }

    private static func parts(ofSchema entry: String) -> (uri: String, file: String)? {
        guard let separator = entry.lastIndex(of: "="), entry[..<separator].contains(":") else { return nil }
        let file = entry[entry.index(after: separator)...]
        return file.isEmpty ? nil : (String(entry[..<separator]), String(file))
    }
}
