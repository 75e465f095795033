/// The `apitest completions SHELL` command.
struct CompletionsCommand: SynchronousCommand {
    /// The shells with a completion script.
    enum Shell: String, ArgumentValue, CaseIterable {
        case bash, zsh, fish
    }

    static let description = CommandDescription(
        name: "completions", abstract: "Print a shell completion script",
        discussion: """
            bash: apitest completions bash > ~/.local/share/bash-completion/completions/apitest. \
            zsh: apitest completions zsh > DIRECTORY/_apitest, where DIRECTORY is in $fpath. \
            fish: apitest completions fish > ~/.config/fish/completions/apitest.fish.
            """)

    var shell = Shell.bash

    static var syntax: [Syntax] {
        [
            .argument("shell", \.shell, isRequired: true, "Shell to complete for")
        ]
    }

    func run() throws {
        StandardOutput.write(ShellCompletion.script(for: shell))
    }
}
