import SuiteModel

extension RepeatArguments {
    /// The options without which a test of the run would run otherwise; the others choose tests, or say what is written.
    private static let needed: Set = [
        "allow-only", "baseline", "cacert", "cert", "config", "contract", "environment", "file-root", "insecure", "key",
        "locked", "no-config", "proxy", "resolve", "retries", "schema", "seed", "timeout", "variable", "variables-file",
    ]

    /// Finds the arguments in those of the program.
    ///
    /// - Parameter arguments: The arguments as the user gave them, without the program's name.
    init(of arguments: [String]) {
        self.init()
        // Other commands have options of their own.
        if let first = arguments.first, first != "run", OptionTable.commands.contains(first) { return }
        let catalog = OptionCatalog()
        var arguments = arguments[...]
        if arguments.first == "run" { arguments = arguments.dropFirst() }
        let spellings = catalog.spellings["run"] ?? [:]
        while let argument = arguments.popFirst() {
            if argument == "--" {
                paths += arguments.map { $0.hasPrefix("-") ? "./" + $0 : $0 }
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                paths.append(argument)
                continue
            }
            let name = argument.prefix { $0 != "=" }
            let isLong = argument.hasPrefix("--")
            // Of short options several flags may stand after one hyphen, and a value after the last one.
            guard let spelling = spellings[isLong ? String(name) : String(argument.prefix(2))] else { continue }
            var words = [argument]
            if spelling.takesValue, isLong ? name.count == argument.count : argument.count == 2,
                let value = arguments.popFirst()
            {
                words.append(value)
            }
            if let long = spelling.long, Self.needed.contains(long) { options += words }
        }
    }
}
