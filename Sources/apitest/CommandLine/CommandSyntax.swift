import ProjectConfiguration

/// An option or an argument of a command: how it is written, what it takes, and what is said of it.
///
/// This is the only place where an option is described: parsing, help, completions, the keys of `.apitest.yaml` and the
/// reference are made from it.
struct Parameter {
    /// What it is on the command line.
    enum Kind {
        /// An option without a value.
        case flag
        /// An option without a value that counts how often it is given.
        case count
        /// An option with a value.
        case option
        /// A value without an option's name.
        case argument
    }

    /// What a shell offers for the value.
    enum Completion {
        case nothing
        /// Files whose names have one of these extensions; any file without one.
        case files([String])
        case directories
        /// Words, which may depend on those before the value.
        case words((_ before: [String]) -> [String])
    }

    let kind: Kind
    /// The long name without its hyphens; of an argument, what it is called.
    let name: String
    var short: Character?
    /// What help calls the value.
    var value = ""
    var isRepeatable = false
    var isRequired = false
    /// The words that it takes; empty if it takes others too.
    var choices: [String] = []
    /// The value without which the option stands for this one.
    var impliedValue: String?
    /// The value that it has when it is not given, for help.
    var defaultValue: () -> String? = { nil }
    let help: String
    var completion = Completion.nothing
    /// Whether a text can be its value.
    var accepts: (String) -> Bool = { _ in true }

    /// Whether a value follows its name.
    var takesValue: Bool { kind == .option }

    /// The spellings of an option, the short one first.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + ["--" + name] }

    /// How it is written in help and messages, such as `--jobs <jobs>` or `<path> ...`.
    ///
    /// - Parameter spelling: The name by which an option is called; nil for all of its names.
    func label(_ spelling: String? = nil) -> String {
        switch kind {
        case .argument: "<\(name)>" + (isRepeatable ? " ..." : "")
        case .flag, .count: spelling ?? spellings.joined(separator: ", ")
        case .option: "\(spelling ?? spellings.joined(separator: ", ")) <\(value)>"
        }
    }

    /// The option as `.apitest.yaml` may set it.
    var configurationOption: ConfigurationOption {
        let kind: ConfigurationOption.Kind =
            switch kind {
            case .flag: .flag
            case .count: .count
            case .option, .argument: isRepeatable ? .values : .value
            }
        let path: ConfigurationOption.PathForm =
            switch value {
            case "file", "folder", "path", "report": .whole
            case "format[=path]": .behindEquals
            case "uri=file": .behindLastEquals
            default: .none
            }
        return ConfigurationOption(name: name, kind: kind, choices: choices, path: path, documentation: help)
    }

    /// What every command has.
    static var general: [Parameter] {
        [
            Parameter(kind: .flag, name: "version", help: "Show the version."),
            Parameter(kind: .flag, name: "help", short: "h", help: "Show help information."),
        ]
    }
}

/// A type whose values are given on the command line.
protocol ArgumentValue {
    /// Reads a value; nil if the text is none.
    init?(argument: String)
    /// The value as it is given.
    var argument: String { get }
    /// All values; empty if they are too many.
    static var choices: [String] { get }
}

extension ArgumentValue {
    static var choices: [String] { [] }
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
extension Int: ArgumentValue {}
extension UInt64: ArgumentValue {}
extension Double: ArgumentValue {}

/// Options and arguments, and where their values go.
struct CommandSyntax<Values: OptionGroup> {
    /// The parameters, in the order of the help.
    private(set) var parameters: [Parameter] = []
    /// For each parameter what is done with its value; false if it is none.
    private(set) var assignments: [(inout Values, String) -> Bool] = []
    /// What is checked once all values are known.
    private(set) var checks: [(Values) throws -> Void] = []

    /// Joins parts.
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

    /// What a group of options checks once its values are known.
    static func check(_ check: @escaping (Values) throws -> Void) -> CommandSyntax { CommandSyntax(checks: [check]) }

    /// The options of a group, with its checks.
    static func group<Group: OptionGroup>(_ path: WritableKeyPath<Values, Group>) -> CommandSyntax {
        let group = Group.wholeSyntax
        var syntax = CommandSyntax(checks: group.checks.map { check in { try check($0[keyPath: path]) } })
        syntax.parameters = group.parameters
        syntax.assignments = group.assignments.map { assign in { assign(&$0[keyPath: path], $1) } }
        return syntax
    }

    /// An option without a value.
    static func flag(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Values, Bool>, _ help: String
    ) -> CommandSyntax {
        CommandSyntax(Parameter(kind: .flag, name: name, short: short, help: help)) { values, _ in
            values[keyPath: path] = true
            return true
        }
    }

    /// An option without a value that is counted.
    static func count(
        _ name: String, short: Character? = nil, _ path: WritableKeyPath<Values, Int>, _ help: String
    ) -> CommandSyntax {
        CommandSyntax(Parameter(kind: .count, name: name, short: short, isRepeatable: true, help: help)) { values, _ in
            values[keyPath: path] += 1
            return true
        }
    }

    /// An option with a value, of which the last one given counts.
    ///
    /// - Parameters:
    ///   - name: The long name without its hyphens.
    ///   - short: The short name.
    ///   - value: What help calls the value; nil for the name.
    ///   - path: Where the value goes.
    ///   - help: What it does, in one sentence.
    ///   - completion: What a shell offers, where the type has no list of its values.
    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String? = nil, _ path: WritableKeyPath<Values, Value>,
        _ help: String, completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .option, name: name, short: short, value: value ?? name, choices: Value.choices,
                defaultValue: { Values()[keyPath: path].argument }, help: help, completion: completion,
                accepts: { Value(argument: $0) != nil })
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// An option with a value that has no default.
    ///
    /// - Parameter implied: The value that the option stands for when it is given without one.
    static func option<Value: ArgumentValue>(
        _ name: String, short: Character? = nil, value: String? = nil, _ path: WritableKeyPath<Values, Value?>,
        implied: String? = nil, _ help: String, completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .option, name: name, short: short, value: value ?? name, choices: Value.choices,
                impliedValue: implied, help: help, completion: completion,
                accepts: { Value(argument: $0) != nil })
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// An option that may be given several times, each time with a value.
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

    /// An argument.
    ///
    /// - Parameter isRequired: Whether it has to be there; what its place holds before says nothing then.
    static func argument<Value: ArgumentValue>(
        _ name: String, _ path: WritableKeyPath<Values, Value>, isRequired: Bool = false, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(
                kind: .argument, name: name, isRequired: isRequired, choices: Value.choices,
                defaultValue: { isRequired ? nil : Values()[keyPath: path].argument }, help: help,
                completion: completion)
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// An argument that has no default.
    static func argument<Value: ArgumentValue>(
        _ name: String, _ path: WritableKeyPath<Values, Value?>, _ help: String,
        completion: Parameter.Completion = .nothing
    ) -> CommandSyntax {
        CommandSyntax(
            Parameter(kind: .argument, name: name, choices: Value.choices, help: help, completion: completion)
        ) { assign(Value(argument: $1), to: &$0[keyPath: path]) }
    }

    /// Any number of arguments.
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

    private static func assign<Value>(_ value: Value?, to place: inout Value) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func assign<Value>(_ value: Value?, to place: inout Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }
}

/// Values of options that belong together.
protocol OptionGroup: SendableMetatype {
    typealias Syntax = CommandSyntax<Self>

    /// The values when no option is given.
    init()
    /// The options, the arguments and the groups of which it is made, in the order of the help.
    static var syntax: [Syntax] { get }
    /// Checks values that are not wrong for themselves.
    ///
    /// - Throws: ``UsageError``.
    func validate() throws
}

extension OptionGroup {
    func validate() throws {}

    /// The syntax with what is checked at its end.
    static var wholeSyntax: Syntax { Syntax(syntax + [.check { try $0.validate() }]) }

    /// The options and arguments, without those that every command has.
    static var parameters: [Parameter] { wholeSyntax.parameters }
}
