/// The functions and methods that expressions can call.
public struct CELFunctions: Sendable {
    typealias Unary = @Sendable (CELValue, inout CallState) throws(CELFailure) -> CELValue
    typealias Binary = @Sendable (CELValue, CELValue, inout CallState) throws(CELFailure) -> CELValue
    typealias Variadic = @Sendable ([CELValue], inout CallState) throws(CELFailure) -> CELValue

    enum Implementation: Sendable {
        case unary(Unary)
        case binary(Binary)
        case variadic(Variadic)
    }

    /// A function of a name, with an implementation for each number of arguments (a method's receiver is one).
    struct Definition: Sendable {
        var overloads: [Int: Implementation] = [:]
        /// True when the result depends on the arguments alone.
        var isPure = true
    }

    private(set) var functions: [String: Definition] = [:]
    private(set) var methods: [String: Definition] = [:]

    /// Standard CEL with the strings, encoders, math and optionals extensions, and the functions of apitest.
    public static let standard: CELFunctions = {
        var functions = CELFunctions()
        ConversionFunctions.register(in: &functions)
        StringFunctions.register(in: &functions)
        StringSearchFunctions.register(in: &functions)
        TimeFunctions.register(in: &functions)
        OptionalFunctions.register(in: &functions)
        MathFunctions.register(in: &functions)
        EncodingFunctions.register(in: &functions)
        EnvironmentFunctions.register(in: &functions)
        JSONFunctions.register(in: &functions)
        return functions
    }()

    /// The names of all functions and methods, in order.
    public var names: [String] { Set(functions.keys).union(methods.keys).sorted() }

    mutating func function(_ name: String, isPure: Bool = true, _ body: @escaping Unary) {
        functions[name, default: Definition()].overloads[1] = .unary(body)
        functions[name]?.isPure = isPure
    }

    mutating func function(_ name: String, isPure: Bool = true, _ body: @escaping Binary) {
        functions[name, default: Definition()].overloads[2] = .binary(body)
        functions[name]?.isPure = isPure
    }

    mutating func function(
        _ name: String, counts: ClosedRange<Int>, isPure: Bool = true, _ body: @escaping Variadic
    ) {
        for count in counts { functions[name, default: Definition()].overloads[count] = .variadic(body) }
        functions[name]?.isPure = isPure
    }

    mutating func method(_ name: String, _ body: @escaping Unary) {
        methods[name, default: Definition()].overloads[1] = .unary(body)
    }

    mutating func method(_ name: String, _ body: @escaping Binary) {
        methods[name, default: Definition()].overloads[2] = .binary(body)
    }

    /// Adds a method; the counts are those of its arguments without the receiver.
    mutating func method(_ name: String, counts: ClosedRange<Int>, _ body: @escaping Variadic) {
        for count in counts { methods[name, default: Definition()].overloads[count + 1] = .variadic(body) }
    }
}
