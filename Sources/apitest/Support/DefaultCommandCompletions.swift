/// Makes scripts complete what follows the program's name where the first word is no command: as for the default one, of which
/// the argument parser's scripts know nothing.
struct DefaultCommandCompletions {
    /// The words that are commands.
    let commands: [String]

    /// The script for bash.
    func bash(_ script: String) -> String {
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

    /// The script for zsh.
    func zsh(_ script: String) -> String {
        let beginning = "    local -i ret=1\n    local -ar arg_specs=("
        let end = "    return \"${ret}\"\n"
        return
            script
            .replacing(
                beginning,
                with: """
                        # What is no command is an argument of the default one.
                        local -ar commands=(\(commands.joined(separator: " ")))
                        if (( CURRENT > 2 && ! ${commands[(Ie)${words[2]}]} )); then
                            words[1]=run
                            _apitest_run
                            return
                        fi


                    """ + beginning, maxReplacements: 1
            )
            .replacing(
                end,
                with: """
                        if (( CURRENT == 2 )) && [[ "${state}" == command || "${words[2]}" == -* ]]; then
                            words[1]=run
                            _apitest_run && ret=0
                        fi


                    """ + end, maxReplacements: 1)
    }

    /// The script for fish.
    func fish(_ script: String) -> String {
        let reading = "    set -l unparsed_tokens (__apitest_tokens -pc)\n"
        var script = script.replacing(
            reading,
            with: reading + """
                    # What is no command is an argument of the default one.
                    if test (count $unparsed_tokens) -gt 1; and not contains -- $unparsed_tokens[2] \
                \(commands.joined(separator: " "))
                        set unparsed_tokens $unparsed_tokens[1] run $unparsed_tokens[2..]
                    end

                """, maxReplacements: 1)
        for name in ["flags_or_options", "positional"] {
            guard let start = script.firstRange(of: "function __apitest_should_offer_completions_for_\(name) "),
                let line = script[start.upperBound...].firstIndex(of: "\n")
            else { continue }
            script.insert(
                contentsOf: """
                        # The first word may be an argument of the default command.
                        if test "$expected_commands" = 'apitest run' -a (count (__apitest_tokens -pc)) -eq 1
                            return 0
                        end

                    """, at: script.index(after: line))
        }
        return script
    }
}
