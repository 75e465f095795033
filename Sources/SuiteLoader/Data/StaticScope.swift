import Basics
import CEL
import FileSystem
import SuiteModel

/// The names whose values are known before any request is sent.
///
/// These are the variables of the command line and of the suite. Test names can also use the columns of a row and the
/// variables of the test.
final class StaticScope: CELScope {
    /// The environment of expressions; random values are the same in every run.
    let context: CELContext
    private let given: [String: CELValue]
    private let suite: [String: ValueTemplate]
    /// A closure that returns whether the value of a name is masked in all output.
    private let isSecret: (String) -> Bool

    private var test: [String: ValueTemplate] = [:]
    /// The names of the columns, whose values are in ``row``.
    private var columns: [String] = []
    private var row: [ValueTemplate] = []
    private var values: [String: CELValue] = [:]
    /// The names that are being evaluated, to end the recursion for a cycle, which was reported.
    private var open: Set<String> = []

    /// Creates a scope with the names that all tests of a suite share.
    init(
        given: [String: CELValue], variables: [Variable], context: CELContext, isSecret: @escaping (String) -> Bool
    ) {
        self.given = given
        self.context = context
        self.isSecret = isSecret
        suite = Dictionary(variables.map { ($0.name, $0.value) }) { $1 }
    }

    /// Starts a test with its variables.
    func begin(_ variables: [Variable]) {
        test = Dictionary(variables.map { ($0.name, $0.value) }) { $1 }
        begin(columns: [])
    }

    /// Starts the rows of the test with their columns. Of two columns with the same name, the later one wins.
    func begin(columns: [String]) {
        self.columns = columns
        begin(row: [])
    }

    /// Starts a row of the test, with a value for each column.
    func begin(row: [ValueTemplate]) {
        self.row = row
        if !values.isEmpty { values.removeAll(keepingCapacity: true) }
    }

    /// Returns the value of a column in the current row.
    private func column(_ name: String) -> ValueTemplate? {
        guard let index = columns.lastIndex(of: name), index < row.count else { return nil }
        return row[index]
    }

    func value(of name: String) throws(CELEvaluationError) -> CELValue? {
        if case .constant(let value) = column(name) { return CELValue(value) }
        if let value = values[name] { return value }
        guard let value = try find(name) else { return nil }
        values[name] = value
        return value
    }

    private func find(_ name: String) throws(CELEvaluationError) -> CELValue? {
        let column = column(name)
        if column == nil, let value = given[name] { return value }
        guard let template = column ?? test[name] ?? suite[name] else { return nil }
        guard open.insert(name).inserted else {
            throw CELEvaluationError(message: "the variable \"\(name)\" refers to itself")
        }
        defer { open.remove(name) }
        do {
            return try template.value(in: self, context: context)
        } catch {
            throw CELEvaluationError(message: "in the variable \"\(name)\": \(error.message)")
        }
    }

    /// The scope for rendering test names, in which secret values are masked.
    var masked: Masked { Masked(scope: self) }

    /// A scope that masks secret values.
    struct Masked: CELScope {
        let scope: StaticScope

        func value(of name: String) throws(CELEvaluationError) -> CELValue? {
            let value = try scope.value(of: name)
            return value != nil && scope.isSecret(name) ? .string("***") : value
        }
    }
}

extension StaticScope {
    /// Creates the scope of a suite whose variables have been read.
    convenience init(_ suite: Suite, context: LoadContext) {
        let options = context.options
        let dotenv = suite.dotenv
        let given = options.variables.mapValues { CELValue.string($0) }.merging(options.typedVariables) { $1 }
        let secrets = suite.secrets
        self.init(
            given: given, variables: suite.variables,
            context: CELContext(
                random: CELRandomSource(seed: 0),
                environment: { options.processEnvironment[$0] ?? dotenv[$0] },
                readFile: { [directory = context.directory, options] path in
                    try Self.bytes(ofFile: path, directory: directory, root: options.fileRoot)
                }),
            isSecret: { secrets.contains($0) })
    }

    /// Returns the contents of a file in the file root.
    private static func bytes(ofFile path: String, directory: String, root: String) throws(CELFileError) -> [UInt8] {
        let absolute = Path.absolute(path, in: directory)
        guard let real = File.realPath(absolute) else {
            throw CELFileError("the file \(path) does not exist")
        }
        guard Path.isInside(real, File.realPath(root) ?? root) else {
            throw CELFileError("the file \(path) is outside the project directory; use --file-root to allow it")
        }
        if File.kind(of: real) == .other { throw CELFileError("\(path) is not a regular file") }
        do {
            return try File.bytes(at: real)
        } catch {
            throw CELFileError("the file \(path) cannot be read: \(error.reason)")
        }
    }
}
