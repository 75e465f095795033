import ArgumentParser

/// `apitest completions SHELL`
struct CompletionsCommand: ParsableCommand {
    /// The shells that there are scripts for.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print the script by which a shell completes commands and options.",
        discussion: """
            bash: apitest completions bash > ~/.local/share/bash-completion/completions/apitest. \
            zsh: apitest completions zsh > FOLDER/_apitest, with a FOLDER of $fpath. \
            fish: apitest completions fish > ~/.config/fish/completions/apitest.fish.
            """)

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let commands = Apitest.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        let completions = DefaultCommandCompletions(commands: commands)
        let script =
            switch shell {
            case .bash: completions.bash(Apitest.completionScript(for: .bash))
            case .zsh: completions.zsh(Apitest.completionScript(for: .zsh))
            case .fish: completions.fish(Apitest.completionScript(for: .fish))
            }
        StandardOutput.write(script.hasSuffix("\n") ? script : script + "\n")
    }
}
