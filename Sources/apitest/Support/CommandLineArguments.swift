/// Small differences between how people write options and what the parser takes.
enum CommandLineArguments {
    /// The arguments with `--fail-fast` given its default count, which an option with an optional value cannot have otherwise.
    static func normalized(_ arguments: some Sequence<String>) -> [String] {
        var result: [String] = []
        var isLiteral = false
        for argument in arguments {
            if argument == "--" { isLiteral = true }
            result.append(!isLiteral && argument == "--fail-fast" ? "--fail-fast=1" : argument)
        }
        return result
    }
}
