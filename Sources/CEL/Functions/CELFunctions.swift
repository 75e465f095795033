import JSON
import RegularExpressions

/// The functions and methods that expressions can call.
///
/// Beyond standard CEL and its strings, encoders, math, lists, sets, regex and optionals extensions there are:
///
/// - `env(name)` fails when the variable is not set, `env(name, default)` gives the default then;
/// - `file(path)` gives a text when the file is UTF-8, else bytes;
/// - `now()` a timestamp, `uuid()` a UUID of version 4, `randomString(n)` n letters and digits;
/// - `random(min, max)` an integer from min to max, both included, or a double when one of them is no integer;
/// - `sha256(x)` and `hmacSHA256(key, x)` take text or bytes and give bytes, for `hex.encode` or `base64.encode`;
/// - `hex.encode(x)`, `hex.decode(text)`, `url.encode(x)` (all but letters, digits and `-._~`), `url.decode(text)`;
/// - `json.parse(text)` and `json.stringify(x)`;
/// - `jsonpath(x, path)` gives the value of a path that can select one at most, and fails when it is not there; for any
///   other path the list of what it selects;
/// - `date.format(timestamp, pattern)` and `date.format(timestamp, pattern, zone)`, see `DateFormat`;
/// - `cel.bind(name, value, result)` gives a value a name within an expression.
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

    /// Standard CEL with the strings, encoders, math, lists, sets, regex and optionals extensions, and the functions of apitest.
    public static let standard: CELFunctions = {
        var functions = CELFunctions()
        ConversionFunctions.register(in: &functions)
        StringFunctions.register(in: &functions)
        StringSearchFunctions.register(in: &functions)
        TimeFunctions.register(in: &functions)
        OptionalFunctions.register(in: &functions)
        MathFunctions.register(in: &functions)
        BitFunctions.register(in: &functions)
        EncodingFunctions.register(in: &functions)
        EnvironmentFunctions.register(in: &functions)
        JSONFunctions.register(in: &functions)
        ListFunctions.register(in: &functions)
        SetFunctions.register(in: &functions)
        RegexFunctions.register(in: &functions)
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

/// What a function can use while it runs.
struct CallState {
    var meter: Meter
    let context: CELContext
    private var patterns: [String: RegularExpression] = [:]

    /// How many patterns that are no constants are kept compiled.
    private static let keptPatterns = 16

    init(meter: Meter, context: CELContext) {
        self.meter = meter
        self.context = context
    }

    /// A string result, whose size is counted.
    mutating func made(_ text: String) throws(CELFailure) -> CELValue {
        try meter.allocate(text.utf8.count)
        return .string(text)
    }

    /// A bytes result, whose size is counted.
    mutating func made(_ bytes: [UInt8]) throws(CELFailure) -> CELValue {
        try meter.allocate(bytes.count)
        return .bytes(bytes)
    }

    /// The JSON of a value, whose elements count when it has to be made; nil when there is none.
    mutating func json(_ value: CELValue) throws(CELFailure) -> JSONValue? {
        var left = CELLimits.jsonElements
        let json = value.json(&left)
        try meter.step(CELLimits.jsonElements - max(0, left))
        return json
    }

    /// A pattern compiled, kept for the next time within this evaluation.
    mutating func pattern(_ source: String) throws(CELFailure) -> RegularExpression {
        if let known = patterns[source], known.pattern.utf8.elementsEqual(source.utf8) { return known }
        try meter.step(source.utf8.count)
        if patterns.count >= Self.keptPatterns { patterns.removeAll() }
        do throws(RegularExpressionError) {
            let pattern = try RegularExpression(source, dialect: .re2)
            patterns[source] = pattern
            return pattern
        } catch {
            throw .message("invalid regular expression: \(error.message)")
        }
    }

    /// Counts going through a text.
    mutating func scan(_ text: String) throws(CELFailure) {
        try meter.step(text.utf8.count >> 5)
    }
}
