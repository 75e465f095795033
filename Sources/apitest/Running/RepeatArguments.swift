import RunModel

extension RepeatArguments {
    /// The options that affect the results of tests.
    ///
    /// All others select tests or control the output.
    private static let needed: Set = [
        "allow-only", "baseline", "cacert", "cert", "config", "contract", "environment", "file-root", "insecure", "key",
        "locked", "no-config", "proxy", "resolve", "retries", "schema", "seed", "timeout", "variable", "variables-file",
    ]

    /// Finds the relevant arguments among those of the program.
    ///
    /// - Parameter arguments: The arguments as given by the user, without the name of the program.
    init(of arguments: [String]) {
        self.init()
        let call = CommandCall(arguments)
        // Other commands have different options.
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
