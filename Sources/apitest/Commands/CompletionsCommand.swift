/// The `apitest completions SHELL` command.
struct CompletionsCommand: SynchronousCommand {
    /// The shells with a completion script.
    enum Shell: String, ArgumentValue, CaseIterable {
        case bash, zsh, fish
    }

    static let description = CommandDescription(
        name: "completions", abstract: "Print the script by which a shell completes commands and options.",
        discussion: """
            bash: apitest completions bash > ~/.local/share/bash-completion/completions/apitest. \
            zsh: apitest completions zsh > FOLDER/_apitest, with a FOLDER of $fpath. \
            fish: apitest completions fish > ~/.config/fish/completions/apitest.fish.
            """)

    var shell = Shell.bash

    static var syntax: [Syntax] {
        [
            .argument("shell", \.shell, isRequired: true, "The shell: bash, zsh or fish.")
        ]
    }

    func run() throws {
        StandardOutput.write(ShellCompletion.script(for: shell))
    }
}
