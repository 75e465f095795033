/// A compiled expression of the Common Expression Language (CEL), which can be evaluated any number of times.
public struct CELExpression: Sendable {
    /// A reference to a variable that no macro of the expression binds.
    public typealias Reference = CELReference
    /// The result of an evaluation and the values that led to it.
    public typealias Explanation = CELExplanation

    /// The source text of the expression.
    public let source: String
    private let program: Program
    /// The name of the variable if the expression is a single variable, as most expressions of a suite are.
    private let soleVariable: String?

    /// Creates an expression by compiling its source text.
    ///
    /// - Parameters:
    ///   - source: The source text.
    ///   - functions: The functions that the expression can call.
    /// - Throws: ``CELSyntaxError`` for invalid syntax, unknown functions, wrong numbers of arguments, operations that
    ///   can never succeed, and invalid constant regular expressions and JSONPaths.
    public init(_ source: String, functions: CELFunctions = .standard) throws(CELSyntaxError) {
        try self.init(source, functions: functions, resolution: NameResolution())
    }

    init(_ source: String, functions: CELFunctions, resolution: NameResolution) throws(CELSyntaxError) {
        self.source = source
        program = try Compiler.compile(source, functions: functions, resolution: resolution)
        soleVariable =
            if program.nodes.count == 1, case .variable(let name, _) = program.nodes[program.root] { name } else { nil }
    }

    /// The references to variables that no macro binds, in source order.
    public var freeIdentifiers: [Reference] { program.references.sorted { $0.offset < $1.offset } }

    /// The value of the expression if it is the same in every scope; otherwise nil.
    public var constantValue: CELValue? {
        if case .constant(let value) = program.nodes[program.root] { value } else { nil }
    }

    /// The type name of the value, such as `int`, if it is the same in every scope; otherwise nil.
    public var knownTypeName: String? { StaticCheck.resultTypeName(program) }

    /// Returns the constant arguments of the calls of a function with one argument, in source order.
    package func constants(inCallsOf name: String) -> [CELValue] {
        var found: [(offset: Int32, value: CELValue)] = []
        for (index, node) in program.nodes.enumerated() {
            guard case .call(let call) = node, call.name == name, !call.isMethod, call.arguments.count == 1,
                case .constant(let value) = program.nodes[call.arguments[0]]
            else { continue }
            found.append((program.spans[index].offset, value))
        }
        return found.sorted { $0.offset < $1.offset }.map(\.value)
    }

    /// Returns the source of a literal with the value of a string.
    package static func literal(_ text: String) -> String { Quoting.quoted(text) }

    /// Evaluates the expression.
    ///
    /// - Parameters:
    ///   - scope: The variables.
    ///   - context: The limits, and the sources of time, randomness, environment variables, and files.
    /// - Throws: ``CELEvaluationError`` with the location of the failed part.
    public func evaluate(
        _ scope: some CELScope, context: CELContext = CELContext()
    ) throws(CELEvaluationError) -> CELValue {
        if let soleVariable {
            // Looked up only once: with a second lookup, each variable of a chain would double the work.
            do throws(CELEvaluationError) {
                if let value = try scope.value(of: soleVariable) { return value }
            } catch {
                guard error.length == 0 else { throw error }
                throw CELEvaluationError(
                    error.message, program.spans[program.root], isBudgetExceeded: error.isBudgetExceeded,
                    isUnavailable: error.isUnavailable)
            }
        }
        var evaluator = Evaluator(program, scope: scope, context: context)
        return try evaluator.evaluate(program.root)
    }

    /// Evaluates the expression and records the intermediate values, to show why an assertion failed.
    ///
    /// To explain the result of an earlier evaluation, pass the context that `CELContext.repeatable()` returned before
    /// it:
    /// random values and the time are then the same.
    ///
    /// This method uses the evaluator of ``evaluate(_:context:)`` and also keeps a trace. The trace costs 7,400
    /// instructions for a small assertion, 4% of a test, so assertions that pass are evaluated without it.
    public func explain(_ scope: some CELScope, context: CELContext = CELContext()) -> Explanation {
        var evaluator = Evaluator(program, scope: scope, context: context)
        evaluator.trace = Trace()
        let result: Result<CELValue, CELEvaluationError>
        do throws(CELEvaluationError) {
            result = .success(try evaluator.evaluate(program.root))
        } catch {
            result = .failure(error)
        }
        return ExplanationBuilder.explanation(result, evaluator.trace ?? Trace(), program, source: source)
    }
}

/// Fixed limits of the parser and the evaluator.
enum CELLimits {
    /// The maximum nesting depth of an expression, in brackets and in chains of operators or selections.
    static let depth = 250
    /// The maximum length of an expression in bytes.
    static let sourceLength = 1 << 20
    /// The maximum nesting depth of compared values, which bounds the stack.
    static let valueDepth = 1_000
    /// The maximum number of elements of a value that is converted to JSON: an expression can nest the same list many
    /// times.
    static let jsonElements = 10_000_000
    /// The maximum length in bytes of a value in a message.
    static let shownLength = 100_000
    /// The maximum length in characters of a value within a sentence.
    static let briefLength = 72
    /// The maximum nesting depth of a value in a message. Deeper lists and maps are shown as `[…]` and `{…}`.
    static let shownDepth = 64
}
