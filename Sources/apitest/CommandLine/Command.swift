/// What a command is called and what it does.
struct CommandDescription: Sendable {
    /// The word by which it is called.
    let name: String
    /// What it does, in one sentence.
    let abstract: String
    /// What else there is to know.
    var discussion = ""
    /// The commands below it; it does nothing else than to call one of them.
    var subcommands: [any Command.Type] = []
}

/// A command of the program.
protocol Command: OptionGroup {
    static var description: CommandDescription { get }
    /// Does what the command does.
    ///
    /// - Throws: ``ExitStatus`` when the program ends with another status than 0, and ``UsageError``.
    func run() async throws
}

/// A command that is done on the thread that calls it.
///
/// The memory of the main thread grows in large steps, that of other threads by a page and a call of the system: for a
/// large suite, which takes little else than memory, that is a tenth of the time.
protocol SynchronousCommand: Command {
    func run() throws
}

/// A command that stands for those below it.
protocol CommandFolder: Command {}

extension CommandFolder {
    static var syntax: [Syntax] { [] }
    func run() {}
}

/// The command that a command line calls, and what it gives it.
struct CommandCall {
    /// What the program is asked for; thrown where it is found out late.
    enum Wish: Error {
        case run
        case help
        case version
    }

    /// The command's type behind those above it, of which the first is the program.
    let path: [any Command.Type]
    /// Whether no command was named, so that it is the default one.
    let isDefault: Bool
    /// The arguments behind the command's name.
    let arguments: [String]
    let wish: Wish

    var command: any Command.Type { path.last ?? Apitest.self }

    /// The words by which it is called, such as `apitest contract diff`.
    var name: String { path.map { $0.description.name }.joined(separator: " ") }

    /// Finds the command that arguments call; what names none is an argument of the default command.
    ///
    /// - Parameter arguments: The arguments without the program's name.
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
        let isFolder = path.count > 1 && path.last is any CommandFolder.Type
        if asksForHelp || own.contains("--help") || own.contains("-h") || isFolder && rest.isEmpty {
            wish = .help
        } else {
            wish = own.contains("--version") ? .version : .run
        }
        // The program's own help and version are asked for before anything else.
        isDefault = path.count == 1 && (wish == .run || !asksForHelp && rest.first?.hasPrefix("-") == false)
        if isDefault { path.append(Apitest.defaultCommand) }
        self.path = path
        self.arguments = Array(rest)
    }
}
