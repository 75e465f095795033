/// A compiled expression of the Common Expression Language, which can be evaluated any number of times.
public struct CELExpression: Sendable {
    /// A use of a name that no macro of the expression binds.
    public typealias Reference = CELReference
    /// An evaluation with the values that led to its result.
    public typealias Explanation = CELExplanation

    /// The expression as it was written.
    public let source: String
    private let program: Program
    /// The name of the variable that the expression is, when it is nothing else, as most expressions of a suite are.
    private let soleVariable: String?

    /// Compiles an expression.
    ///
    /// - Throws: What is wrong with it and where: also unknown functions, wrong numbers of arguments, and constant
    ///   regular expressions and JSONPaths that are malformed.
    public init(_ source: String, functions: CELFunctions = .standard) throws(CELSyntaxError) {
        try self.init(source, functions: functions, resolution: NameResolution())
    }

    init(_ source: String, functions: CELFunctions, resolution: NameResolution) throws(CELSyntaxError) {
        self.source = source
        program = try Compiler.compile(source, functions: functions, resolution: resolution)
        soleVariable =
            if program.nodes.count == 1, case .variable(let name, _) = program.nodes[program.root] { name } else { nil }
    }

    /// The uses of names that are not bound by macros, in the order of the source.
    public var freeIdentifiers: [Reference] { program.references.sorted { $0.offset < $1.offset } }

    /// The value of an expression that is the same in every scope, or nil.
    public var constantValue: CELValue? {
        if case .constant(let value) = program.nodes[program.root] { value } else { nil }
    }

    /// What the type of the value is called, such as `int`, when it is the same in every scope; otherwise nil.
    public var knownTypeName: String? { StaticCheck.resultTypeName(program) }

    /// Evaluates the expression.
    ///
    /// - Throws: Why it has no value, with the part that failed.
    public func evaluate(
        _ scope: some CELScope, context: CELContext = CELContext()
    ) throws(CELEvaluationError) -> CELValue {
        if let soleVariable {
            // Asked for once only: variables that use one another would double the work with each of them.
            do throws(CELEvaluationError) {
                if let value = try scope.value(of: soleVariable) { return value }
            } catch {
                guard error.length == 0 else { throw error }
                throw CELEvaluationError(
                    error.message, program.spans[program.root], isBudgetExceeded: error.isBudgetExceeded)
            }
        }
        var evaluator = Evaluator(program, scope: scope, context: context)
        return try evaluator.evaluate(program.root)
    }

    /// Evaluates the expression and keeps what led to its value, to show why an assertion does not hold.
    ///
    /// To explain a value that has been found already, `context` is what `CELContext.repeatable()` gave before that, so
    /// that random values and the time are the same.
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

/// Fixed bounds of the parser and the evaluator.
enum CELLimits {
    /// How deep an expression may be nested, in brackets as well as in chains of operators or selections.
    static let depth = 250
    /// The longest expression, in bytes.
    static let sourceLength = 1 << 20
    /// Comparing values nested deeper than this is an error, so that it needs a bounded stack.
    static let valueDepth = 1_000
    /// Values of more elements than this have no JSON: an expression can put one list into another many times.
    static let jsonElements = 10_000_000
    /// A value's text in messages ends here, in bytes.
    static let shownLength = 100_000
    /// A value's text in the middle of a message ends here, in characters.
    static let briefLength = 72
    /// Lists and maps nested deeper than this are shown as `[…]` and `{…}`.
    static let shownDepth = 64
}
