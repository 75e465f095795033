/// Small differences between how people write options and what the parser takes.
enum CommandLineArguments {
    /// The arguments with `--fail-fast` given its default count, which an option with an optional value cannot have otherwise,
    /// and with `-j4` as `-j 4`.
    static func normalized(_ arguments: some Sequence<String>) -> [String] {
        var result: [String] = []
        var isLiteral = false
        for argument in arguments {
            if argument == "--" { isLiteral = true }
            if !isLiteral, result.last == "--fail-fast", argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                result[result.count - 1] = "--fail-fast=\(argument)"
            } else if !isLiteral, argument.hasPrefix("-j"), argument.utf8.count > 2,
                argument.utf8.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) })
            {
                result += ["-j", String(argument.dropFirst(2))]
            } else {
                result.append(argument)
            }
        }
        return result.map { !isLiteral && $0 == "--fail-fast" ? "--fail-fast=1" : $0 }
    }
}
