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
        let script =
            switch shell {
            case .bash: Self.completingDefaultCommand(Apitest.completionScript(for: .bash))
            case .zsh: Apitest.completionScript(for: .zsh)
            case .fish: Apitest.completionScript(for: .fish)
            }
        StandardOutput.write(script.hasSuffix("\n") ? script : script + "\n")
    }

    /// The script for bash with the default command's completions where the first word is no command, of which the argument
    /// parser's script knows nothing.
    private static func completingDefaultCommand(_ script: String) -> String {
        let reading = "    local -r subcommand="
        let offering = "        # Offer subcommand completions\n"
        let keeping = "    local -ra words_of_run=(\"${unparsed_words[@]}\")\n"
        // The first of each is that of the program, the others are those of its commands.
        return
            script
            .replacing(reading, with: keeping + reading, maxReplacements: 1)
            .replacing(
                offering,
                with: """
                            # What is no command is an argument of the default one.
                            COMPREPLY=()
                            unparsed_words=("${words_of_run[@]}")
                            _apitest_run
                            if [[ "${COMP_CWORD}" -gt 1 ]]; then return; fi

                    """ + offering, maxReplacements: 1)
    }
}
