import ProjectConfiguration

/// An option or argument of a command: its spelling, values, and help.
///
/// This is the only description of an option. Parsing, help, completions, the keys of `.apitest.yaml`, and the
/// reference documentation are derived from it.
struct Parameter {
    /// The kind of a parameter on the command line.
    enum Kind {
        /// An option without a value.
        case flag
        /// An option without a value that can be repeated and is counted.
        case count
        /// An option with a value.
        case option
        /// A positional argument.
        case argument
    }

    /// The completion that a shell offers for the value.
    enum Completion {
        case nothing
        /// Files with one of these extensions, or all files if there are none.
        case files([String])
        case directories
        /// Words, which may depend on the preceding words of the command line.
        case words((_ before: [String]) -> [String])
    }

    let kind: Kind
    /// The long name of an option without hyphens, or the name of an argument.
    let name: String
    var short: Character?
    /// The name of the value in the help.
    var value = ""
    var isRepeatable = false
    var isRequired = false
    /// The allowed values, or an empty array if they are not limited to a set.
    var choices: [String] = []
    /// The description of the allowed values for messages, such as `an integer`, or `nil` if any text is allowed.
    var form: String?
    /// The value that an option has if it is given without one.
    var impliedValue: String?
    /// Returns the default value for the help.
    var defaultValue: () -> String? = { nil }
    let help: String
    var completion = Completion.nothing
    /// Returns whether a string is a valid value.
    var accepts: (String) -> Bool = { _ in true }

    /// Whether the name is followed by a value.
    var takesValue: Bool { kind == .option }

    /// The spellings of an option, with the short one first.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + name] }

    /// Returns the form used in help and messages, such as `--jobs <jobs>` or `<path> ...`.
    ///
    /// - Parameter spelling: The spelling of an option, or `nil` for all of them.
    func label(_ spelling: String? = nil) -> String {
        switch kind {
        case .argument: "<\(name)>" + (isRepeatable ? " ..." : "")
        case .flag, .count: spelling ?? spellings.joined(separator: ", ")
        case .option: "\(spelling ?? spellings.joined(separator: ", ")) <\(value)>"
        }
    }

    /// The option as a key of `.apitest.yaml`.
    var configurationOption: ConfigurationOption {
        let kind: ConfigurationOption.Kind =
            switch kind {
            case .flag: .flag
            case .count: .count
            case .option, .argument: isRepeatable ? .values : .value
            }
        let path: ConfigurationOption.PathForm =
            switch value {
            case "file", "directory", "path", "report": .whole
            case "format[=path]": .afterEquals
            case "uri=file": .afterLastEquals
            default: .none
            }
        return ConfigurationOption(name: name, kind: kind, choices: choices, path: path, documentation: help)
    }

    /// The options that every command has.
    static var general: [Parameter] {
        [
            Parameter(kind: .flag, name: "version", help: "Show the version"),
            Parameter(kind: .flag, name: "help", short: "h", help: "Show help"),
        ]
    }
}

/// A type whose values can be given on the command line.
protocol ArgumentValue {
    /// Parses a value, or returns `nil` if the string is invalid.
    init?(argument: String)
    /// The value as it is written on the command line.
    var argument: String { get }
    /// All values, or an empty array if there are too many.
    static var choices: [String] { get }
    /// The description of the values for messages, such as `an integer`, or `nil` if any text is a value.
    static var form: String? { get }
}

extension ArgumentValue {
    static var choices: [String] { [] }
    static var form: String? { nil }
}

extension ArgumentValue where Self: LosslessStringConvertible {
    init?(argument: String) { self.init(argument) }
    var argument: String { description }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    init?(argument: String) { self.init(rawValue: argument) }
    var argument: String { rawValue }
    static var choices: [String] { allCases.map(\.rawValue) }
}

extension String: ArgumentValue {}
extension Int: ArgumentValue {
    static var form: String? { "an integer" }
}
extension UInt64: ArgumentValue {
    static var form: String? { "an integer of at least 0" }
}
extension Double: ArgumentValue {
    static var form: String? { "a number" }
}

/// Options and arguments, with the key paths of their values.
struct CommandSyntax<Values: OptionGroup> {
    /// The parameters, in the order of the help.
    private(set) var parameters: [Parameter] = []
    /// A closure for each parameter that assigns its value and returns whether the value is valid.
    private(set) var assignments: [(inout Values, String) -> Bool] = []
    /// The checks that run after all values are parsed.
    private(set) var checks: [(Values) throws -> Void] = []

    /// Combines several syntaxes into one.
    init(_ parts: [CommandSyntax]) {
        for part in parts {
            parameters += part.parameters
            assignments += part.assignments
            checks += part.checks
        }
    }

    private init(_ parameter: Parameter, _ assign: @escaping (inout Values, String) -> Bool) {
        parameters = [parameter]
        assignments = [assign]
    }

    private init(checks: [(Values) throws -> Void]) {
        self.checks = checks
    }

    /// Creates a syntax with a check that runs after all values are parsed.
    static func check(_ check: @escaping (Values) throws -> Void) -> CommandSyntax { CommandSyntax(checks: [check]) }

    /// Creates a syntax with the options and checks of a group.
    static func group<Group: OptionGroup>(_ path: WritableKeyPath<Values, Group>) -> CommandSyntax {
        let group = Group.wholeSyntax
        var syntax = CommandSyntax(checks: group.checks.map { check in { try check($0[keyPath: path]) } })
        syntax.parameters = group.parameters
        syntax.assignments = group.assignments.map { assign in { assign(&$0[keyPath: path], $1) } }
        return syntax
    }

    /// Creates an option without a value.
    static func flag(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Values, Bool>, _ help: String
    ) -> CommandSyntax {
        CommandSyntax(Parameter(kind: .flag, name: name, short: short, help: help)) { values, _ in
            values[keyPath: path] = true
            return true
        }
    }

    /// Creates an option without a value that is counted.
    static func count(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Values, Int>, _ help: String
    ) -> CommandSyntax {
        CommandSyntax(Parameter(kind: .count, name: name, short: short, isRepeatable: true, help: help)) { values, _ in
            values[keyPath: path] += 1
            return true
        }
    }

    /// Creates an option with a value.
    ///
    /// If it is given several times, the last value counts.
    ///
    /// - Parameters:
    ///   - name: The long name without hyphens.
    ///   - short: The short name.
    ///   - value: The name of the value in the help, or `nil` for the name of the option.
    ///   - path: The key path of the value.
    ///   - help: A one-sentence description.
    ///   - completion: The completion of a shell, for a type without a fixed set of values.
    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String? = nil, _ path: WritableKeyPath<Values, Value>,
        _ help: String, completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .option, name: name, short: short, value: value ?? name, choices: Value.choices,
                form: Value.form, defaultValue: { Values()[keyPath: path].argument }, help: help,
                completion: completion,
                accepts: { Value(argument: $0) != nil })
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// Creates an option with a value and without a default.
    ///
    /// - Parameter implied: The value if the option is given without one.
    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String? = nil, _ path: WritableKeyPath<Values, Value?>,
        implied: String? = nil, _ help: String, completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .option, name: name, short: short, value: value ?? name, choices: Value.choices,
                form: Value.form, impliedValue: implied, help: help, completion: completion,
                accepts: { Value(argument: $0) != nil })
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// Creates an option with a value that can be given several times.
    static func option(
        _ name: String, value: String? = nil, _ path: WritableKeyPath<Values, [String]>, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .option, name: name, value: value ?? name, isRepeatable: true, help: help, completion: completion)
        ) { values, text in
            values[keyPath: path].append(text)
            return true
        }
    }

    /// Creates an argument.
    ///
    /// - Parameter isRequired: Whether the argument is required. A required argument has no default value.
    static func argument<Value: ArgumentValue>(
        _ name: String, _ path: WritableKeyPath<Values, Value>, isRequired: Bool = false, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .argument, name: name, isRequired: isRequired, choices: Value.choices,
                form: Value.form, defaultValue: { isRequired ? nil : Values()[keyPath: path].argument }, help: help,
                completion: completion)
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// Creates an argument without a default.
    static func argument<Value: ArgumentValue>(
        _ name: String, _ path: WritableKeyPath<Values, Value?>, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .argument, name: name, choices: Value.choices, form: Value.form, help: help,
                completion: completion)
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// Creates an argument that can be given any number of times.
    static func arguments(
        _ name: String, _ path: WritableKeyPath<Values, [String]>, isRequired: Bool = false, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .argument, name: name, isRepeatable: true, isRequired: isRequired, help: help,
                completion: completion)
        ) { values, text in
            values[keyPath: path].append(text)
            return true
        }
    }

    private static func assign<Value>(_ value: Value?, to location: inout Value) -> Bool {
        guard let value else { return false }
        location = value
        return true
    }

    private static func assign<Value>(_ value: Value?, to location: inout Value?) -> Bool {
        guard let value else { return false }
        location = value
        return true
    }
}

/// The values of a group of related options.
protocol OptionGroup: SendableMetatype {
    typealias Syntax = CommandSyntax<Self>

    /// Creates the values used if no option is given.
    init()
    /// The options, arguments, and nested groups, in the order of the help.
    static var syntax: [Syntax] { get }
    /// Checks constraints between several values.
    ///
    /// - Throws: ``UsageError``.
    func validate() throws
}

extension OptionGroup {
    func validate() throws {}

    /// The complete syntax, with validation as the last check.
    static var wholeSyntax: Syntax { Syntax(syntax + [.check { try $0.validate() }]) }

    /// The options and arguments, without those that every command has.
    static var parameters: [Parameter] { wholeSyntax.parameters }
}
