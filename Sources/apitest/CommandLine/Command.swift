import Basics
import Diagnostics
import FileSystem

/// The name of a command and a description of what it does.
struct CommandDescription: Sendable {
    /// The name of the command.
    let name: String
    /// A one-sentence description of the command.
    let abstract: String
    /// Further information about the command.
    var discussion = ""
    /// The subcommands.
    ///
    /// A command with subcommands does nothing itself.
    var subcommands: [any Command.Type] = []
}

/// A command of the program.
protocol Command: OptionGroup {
    static var description: CommandDescription { get }
    /// Runs the command.
    ///
    /// - Throws: ``ExitStatus`` if the program exits with a status other than 0, or ``UsageError``.
    func run() async throws
}

/// A command that runs synchronously on the calling thread.
///
/// The memory of the main thread grows in large steps, whereas each page costs other threads a system call. For a large
/// suite, whose time is mostly spent on memory, this saves a tenth of the run time.
protocol SynchronousCommand: Command {
    func run() throws
}

/// A command that only groups its subcommands.
protocol CommandGroup: Command {}

extension CommandGroup {
    static var syntax: [Syntax] { [] }
    func run() {}
}

/// The command that a command line calls, with its arguments.
struct CommandCall {
    /// The requested action.
    ///
    /// It is thrown if it is discovered only during parsing.
    enum Wish: Error {
        case run
        case help
        case version
    }

    /// The types of the commands, from the program itself down to the called command.
    let path: [any Command.Type]
    /// Whether the default command is called because the command line names none.
    let isDefault: Bool
    /// The arguments after the name of the command.
    let arguments: [String]
    let wish: Wish

    var command: any Command.Type { path.last ?? Apitest.self }

    /// The full name of the command, such as `apitest contract diff`.
    var name: String { path.map { $0.description.name }.joined(separator: " ") }

    /// The error for a first argument that was probably meant as the name of a command, and the call of the command
    /// that it should belong to.
    var unknownCommand: (error: UsageError, group: CommandCall)? {
        guard wish == .run, let name = arguments.first, !name.hasPrefix("-") else { return nil }
        let group = isDefault ? CommandCall(["help"]) : self
        // Without the name of a command, an argument is a path.
        let isPath = isDefault && (name.contains { "/.:".contains($0) } || File.kind(of: name) != nil)
        guard group.command is any CommandGroup.Type, !isPath else { return nil }
        let known = group.command.description.subcommands.map { $0.description.name }
        let hint = Spelling.hint(for: name, among: known)
        if isDefault, hint.text.isEmpty { return nil }
        return (UsageError(.unknownCommand, "unknown command \"\(name)\"\(hint)"), group)
    }

    /// Finds the command that the arguments call.
    ///
    /// Without a command name, they belong to the default command.
    ///
    /// - Parameter arguments: The arguments without the name of the program.
    init(_ arguments: [String]) {
        var path: [any Command.Type] = [Apitest.self]
        var rest = arguments[...]
        let asksForHelp = rest.first == "help"
        if asksForHelp { rest.removeFirst() }
        while let name = rest.first,
            let next = path.last?.description.subcommands.first(where: { $0.description.name == name })
        {
            path.append(next)
            rest.removeFirst()
        }
        let own = rest.prefix { $0 != "--" }
        let isDirectory = path.count > 1 && path.last is any CommandGroup.Type
        if asksForHelp || own.contains("--help") || own.contains("-h") || isDirectory && rest.isEmpty {
            wish = .help
        } else {
            wish = own.contains("--version") ? .version : .run
        }
        // Help and version of the program itself take precedence.
        isDefault = path.count == 1 && (wish == .run || !asksForHelp && rest.first?.hasPrefix("-") == false)
        if isDefault { path.append(Apitest.defaultCommand) }
        self.path = path
        self.arguments = Array(rest)
    }
}
