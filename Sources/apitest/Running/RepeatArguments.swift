import RunModel

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
        let call = CommandCall(arguments)
        // Other commands have options of their own.
        guard call.command == RunCommand.self else { return }
        let parameters = RunCommand.parameters
        var reader = CommandLineReader(call.arguments, parameters)
        while let token = reader.next() {
            switch token {
            case .argument(let path): paths.append(path.hasPrefix("-") ? "./" + path : path)
            case .option(let index, _, _): if Self.needed.contains(parameters[index].name) { options += reader.words }
            case .missingValue, .unexpectedValue, .unknown: break
            }
        }
    }
}
