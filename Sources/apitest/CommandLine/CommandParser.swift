import Basics
import Diagnostics

/// An error in the usage of the command line.
struct UsageError: Error {
    /// The kind of the error.
    var id: ProblemID
    /// The error message, as a sentence.
    var message: String
    /// The option or argument that the error concerns, as it was spelled, and its help.
    var help: (label: String, text: String)?

    /// Creates an error.
    init(_ id: ProblemID, _ message: String) {
        self.id = id
        self.message = message
    }

    /// Creates an error in the usage of a parameter.
    ///
    /// - Parameter spelling: The name of the option as it was spelled.
    init(_ id: ProblemID, _ message: String, _ parameter: Parameter, _ spelling: String? = nil) {
        self.id = id
        self.message = message
        let label = parameter.kind == .argument ? "<\(parameter.name)>" : parameter.label(spelling)
        help = (label, parameter.help)
    }
}

/// A reader that splits a command line into options with their values, and arguments.
///
/// Options are `--name`, `--name=value`, `--name value`, `-n`, `-n value`, `-nvalue`, and `-abc` for several flags.
/// Everything after `--` is an argument.
struct CommandLineReader: IteratorProtocol {
    /// A token of the command line.
    enum Token {
        /// An option with its index, its spelling, and its value if it takes one.
        case option(Int, spelling: String, value: String)
        case argument(String)
        /// An option without its required value.
        case missingValue(Int, spelling: String)
        /// A flag with a value.
        case unexpectedValue(spelling: String, value: String)
        /// An unknown option.
        case unknown(String)
    }

    private let parameters: [Parameter]
    private var rest: ArraySlice<String>
    private var areArguments = false
    /// The remaining flags of a group after a single hyphen.
    private var flags = ""
    /// The command-line arguments that make up the last token.
    private(set) var words: ArraySlice<String> = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the name of the command.
    ///   - parameters: The known options.
    init(_ arguments: [String], _ parameters: [Parameter]) {
        rest = arguments[...]
        self.parameters = parameters
    }

    mutating func next() -> Token? {
        let before = rest
        defer { if before.count != rest.count { words = before.prefix(before.count - rest.count) } }
        if !flags.isEmpty { return shortOption() }
        guard let argument = rest.popFirst() else { return nil }
        if areArguments || argument == "-" || argument.utf8.first != UInt8(ascii: "-") { return .argument(argument) }
        if argument == "--" {
            areArguments = true
            return next()
        }
        guard argument.hasPrefix("--") else {
            flags = String(argument.dropFirst())
            return shortOption()
        }
        guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return option(argument, nil) }
        return option(String(argument[..<equals]), String(argument[argument.utf8.index(after: equals)...]))
    }

    /// Reads the next letter after a single hyphen.
    ///
    /// The characters after an option's letter are its value.
    private mutating func shortOption() -> Token {
        let spelling = "-" + String(flags.removeFirst())
        let isOption = parameters.contains { $0.takesValue && $0.spellings.first == spelling }
        var value: String?
        if isOption || flags.first == "=" {
            let hasEquals = flags.first == "="
            if hasEquals { flags.removeFirst() }
            value = flags.isEmpty && !hasEquals ? nil : flags
            flags = ""
        }
        return option(spelling, value)
    }

    private mutating func option(_ spelling: String, _ value: String?) -> Token {
        let found = parameters.firstIndex {
            guard $0.kind != .argument else { return false }
            return spelling.utf8.count == 2 ? $0.spellings.first == spelling : $0.name == spelling.dropFirst(2)
        }
        guard let found else { return .unknown(spelling) }
        let parameter = parameters[found]
        guard parameter.takesValue else {
            if let value { return .unexpectedValue(spelling: spelling, value: value) }
            return .option(found, spelling: spelling, value: "")
        }
        if let value {
            return value.isEmpty
                ? .missingValue(found, spelling: spelling) : .option(found, spelling: spelling, value: value)
        }
        if let next = rest.first, next == "-" || next.utf8.first != UInt8(ascii: "-"),
            parameter.impliedValue == nil || parameter.accepts(next)
        {
            rest.removeFirst()
            return .option(found, spelling: spelling, value: next)
        }
        guard let value = parameter.impliedValue else { return .missingValue(found, spelling: spelling) }
        return .option(found, spelling: spelling, value: value)
    }
}

extension OptionGroup {
    /// Parses the values of options and arguments.
    ///
    /// - Parameter arguments: The arguments after the name of the command.
    /// - Throws: ``UsageError``, or ``CommandCall/Wish`` if help is requested within a group of flags after a single
    ///   hyphen.
    static func parse(_ arguments: [String]) throws -> Self {
        let syntax = wholeSyntax
        var values = Self()
        var locations = syntax.parameters.indices.filter { syntax.parameters[$0].kind == .argument }[...]
        var filled: Set<Int> = []
        var unexpected: [String] = []
        var reader = CommandLineReader(arguments, syntax.parameters + Parameter.general)
        while let token = reader.next() {
            switch token {
            case .option(let index, let spelling, let value):
                guard index < syntax.parameters.count else {
                    throw spelling == "--version" ? CommandCall.Wish.version : .help
                }
                guard syntax.assignments[index](&values, value) else {
                    throw syntax.parameters[index].invalid(value, spelling)
                }
            case .argument(let text):
                guard let location = locations.first else {
                    unexpected.append(text)
                    continue
                }
                let parameter = syntax.parameters[location]
                guard syntax.assignments[location](&values, text) else { throw parameter.invalid(text, nil) }
                filled.insert(location)
                if !parameter.isRepeatable { locations.removeFirst() }
            case .missingValue(let index, let spelling):
                let parameter = syntax.parameters[index]
                throw UsageError(.missingValue, "missing value for \(parameter.label(spelling))", parameter, spelling)
            case .unexpectedValue(let spelling, let value):
                throw UsageError(.unexpectedValue, "\(spelling) does not accept a value, got \"\(value)\"")
            case .unknown(let spelling):
                let known = (syntax.parameters + Parameter.general).filter { $0.kind != .argument }.flatMap(\.spellings)
                let hint = spelling.utf8.count > 2 ? Spelling.nearest(to: spelling, among: known) : nil
                throw UsageError(
                    .unknownOption, "unknown option \"\(spelling)\"" + (hint.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
        }
        if !unexpected.isEmpty {
            let list = unexpected.map { "\"\($0)\"" }.joined(separator: ", ")
            throw UsageError(
                .unexpectedArgument,
                unexpected.count == 1
                    ? "unexpected argument \(list)" : "\(unexpected.count) unexpected arguments: \(list)")
        }
        for location in locations where syntax.parameters[location].isRequired && !filled.contains(location) {
            let parameter = syntax.parameters[location]
            throw UsageError(.missingArgument, "missing argument \(parameter.label())", parameter)
        }
        for check in syntax.checks { try check(values) }
        return values
    }
}

extension Parameter {
    /// Returns the error for an invalid value of the parameter.
    fileprivate func invalid(_ value: String, _ spelling: String?) -> UsageError {
        let name = kind == .argument ? "<\(self.name)>" : label(spelling)
        var message = "invalid value \"\(value)\" for \(name)"
        if let last = choices.last {
            let others = choices.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
            message += ": expected \(others) or \"\(last)\""
        } else if let form {
            message += ": expected \(form)"
        }
        return UsageError(choices.isEmpty ? .invalidOption : .unknownValue, message, self, spelling)
    }
}
