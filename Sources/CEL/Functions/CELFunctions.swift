import Basics
import JSON
import RegularExpressions

/// The functions and methods that expressions can call.
///
/// In addition to standard CEL and its strings, encoders, math, lists, sets, regex, and optionals extensions:
///
/// - `env(name)` returns an environment variable and fails if it is not set; `env(name, default)` returns the default
///   then.
/// - `file(path)` returns a string if the file is UTF-8, otherwise bytes.
/// - `now()` returns a timestamp, `uuid()` a version 4 UUID, and `randomString(n)` a string of n letters and digits.
/// - `random(min, max)` returns an integer from min to max, both inclusive, or a double if a bound is not an integer.
/// - `fake.name()`, `fake.email()`, and others return fake data.
/// - `md5(x)`, `sha1(x)`, `sha256(x)`, `sha384(x)`, `sha512(x)`, and `hmacSHA256(key, x)` hash strings or bytes and return
///   bytes, for `hex.encode` or `base64.encode`.
/// - `base64url`, `hex`, `url` (everything except letters, digits, and `-._~`), and `html` encode and decode.
/// - `url.parse(text)`, `url.resolve(base, reference)`, and `query.parse(text)`.
/// - `jwt.sign(claims, key)`, `jwt.verify(token, key)`, and `jwt.decode(token)`.
/// - `sum`, `min`, `max`, and `avg` of lists; `keys`, `values`, `merge`, `pick`, and `omit` of maps.
/// - `json.parse(text)` and `json.stringify(x)`.
/// - `jsonpath(x, path)` returns the value of a singular path, and fails if it does not exist. For any other path, it
///   returns the list of selected values.
/// - `date.format(timestamp, pattern)` and `date.parse(text, pattern)`, both also with a zone; see `DatePattern`.
/// - `cel.bind(name, value, result)` binds a value to a name within an expression.
public struct CELFunctions: Sendable {
    typealias Unary = @Sendable (CELValue, inout CallState) throws(CELFailure) -> CELValue
    typealias Binary = @Sendable (CELValue, CELValue, inout CallState) throws(CELFailure) -> CELValue
    typealias Variadic = @Sendable ([CELValue], inout CallState) throws(CELFailure) -> CELValue

    /// The implementation of a function, by the number of arguments.
    enum Implementation: Sendable {
        case unary(Unary)
        case binary(Binary)
        case variadic(Variadic)
    }

    /// A function with an implementation for each number of arguments, including the receiver of a method.
    struct Definition: Sendable {
        var overloads: [Int: Implementation] = [:]
        /// Whether the result depends on the arguments only.
        var isPure = true
    }

    private(set) var functions: [String: Definition] = [:]
    var methods: [String: Definition] = [:]

    /// Standard CEL with the strings, encoders, math, lists, sets, regex, and optionals extensions, and the functions
    /// of apitest.
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
        HashFunctions.register(in: &functions)
        URLFunctions.register(in: &functions)
        TokenFunctions.register(in: &functions)
        FakeFunctions.register(in: &functions)
        ListFunctions.register(in: &functions)
        AggregateFunctions.register(in: &functions)
        MapFunctions.register(in: &functions)
        SetFunctions.register(in: &functions)
        RegexFunctions.register(in: &functions)
        return functions
    }()

    /// The names of all functions and methods, in alphabetical order.
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

    /// Adds a method; `counts` are the argument counts without the receiver.
    mutating func method(_ name: String, counts: ClosedRange<Int>, _ body: @escaping Variadic) {
        for count in counts { methods[name, default: Definition()].overloads[count + 1] = .variadic(body) }
    }
}

/// The state that a function can use while it runs.
struct CallState {
    var meter: Meter
    let context: CELContext
    private var patterns: [String: RegularExpression] = [:]

    /// The maximum number of compiled patterns to keep that are not constants.
    private static let keptPatterns = 16

    init(meter: Meter, context: CELContext) {
        self.meter = meter
        self.context = context
    }

    /// Returns a string result and deducts its size from the budget.
    mutating func made(_ text: String) throws(CELFailure) -> CELValue {
        try meter.allocate(text.utf8.count)
        return .string(text)
    }

    /// Returns a bytes result and deducts its size from the budget.
    mutating func made(_ bytes: [UInt8]) throws(CELFailure) -> CELValue {
        try meter.allocate(bytes.count)
        return .bytes(bytes)
    }

    /// Returns a value as JSON and deducts the conversion from the budget; nil if JSON cannot represent it.
    mutating func json(_ value: CELValue) throws(CELFailure) -> JSONValue? {
        var left = CELLimits.jsonElements
        let json = value.json(&left)
        try meter.step(CELLimits.jsonElements - max(0, left))
        return json
    }

    /// Returns a compiled pattern, which is cached for the rest of the evaluation.
    mutating func pattern(_ source: String) throws(CELFailure) -> RegularExpression {
        if let known = patterns[source], known.pattern.utf8.elementsEqual(source.utf8) { return known }
        try meter.step(source.utf8.count)
        if patterns.count >= Self.keptPatterns { patterns.removeAll() }
        do throws(RegularExpressionError) {
            let pattern = try RegularExpression(source, dialect: .re2)
            patterns[source] = pattern
            return pattern
        } catch {
            throw .message("invalid regular expression: \(error.wording)")
        }
    }

    /// Deducts the work of scanning a string.
    mutating func scan(_ text: String) throws(CELFailure) {
        try meter.step(text.utf8.count >> 5)
    }
}
