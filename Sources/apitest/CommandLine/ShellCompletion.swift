import FileSystem
import RunModel
import SuiteLoader
import SuiteModel

/// The completions of a command line for a shell.
///
/// The scripts that `apitest completions` prints call the program itself. The completions therefore include its
/// commands, its options, and the contents of the suites on the command line.
struct ShellCompletion {
    /// The hidden command that the scripts call.
    static let command = "__complete"

    /// A completion, written as one line.
    enum Offer: Equatable {
        /// A word with its description.
        case word(String, String)
        /// Directories and the files with one of these extensions, or all files if the array is empty.
        case files([String])
        case directories
    }

    /// The completions of the last word.
    private(set) var offers: [Offer] = []

    /// Finds the completions of the last word.
    ///
    /// - Parameter words: The words after the name of the program. The last one may be empty.
    init(_ words: [String]) {
        let words = Self.joined(words)
        let current = words.last ?? ""
        let before = Array(words.dropLast())
        let isHelp = before.first == "help"
        let call = CommandCall(before)
        let parameters = call.command.parameters + Parameter.general

        var argumentCount = 0
        var reader = CommandLineReader(call.arguments, parameters)
        var pending: Parameter?
        while let token = reader.next() {
            pending = nil
            if case .argument = token { argumentCount += 1 }
            if case .missingValue(let index, _) = token { pending = parameters[index] }
        }
        if let pending {
            offer(pending, current, before: before)
        } else if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
            let name = current[..<equals].dropFirst(2)
            guard let option = parameters.first(where: { $0.takesValue && $0.name == name }) else { return }
            offer(option, String(current[current.index(after: equals)...]), before: before)
        } else if current.hasPrefix("-") {
            for option in parameters where option.kind != .argument {
                for spelling in option.spellings where spelling.hasPrefix(current) {
                    if spelling.utf8.count == 2, current.utf8.count < 2 { continue }
                    offers.append(.word(spelling, option.help))
                }
            }
        } else {
            if call.arguments.isEmpty { offerCommands(below: call, current) }
            let arguments = parameters.filter { $0.kind == .argument }
            let next = argumentCount < arguments.count ? arguments[argumentCount] : arguments.last
            if !isHelp, let next, argumentCount < arguments.count || next.isRepeatable {
                offer(next, current, before: before)
            }
        }
    }

    /// Returns the words with the splits reversed that bash makes at "=".
    private static func joined(_ words: [String]) -> [String] {
        var result: [String] = []
        var isOpen = false
        for word in words {
            if word == "=", let last = result.last, last.hasPrefix("--") {
                result[result.count - 1] = last + "="
                isOpen = true
            } else if isOpen, let last = result.last {
                result[result.count - 1] = last + word
                isOpen = false
            } else {
                result.append(word)
            }
        }
        return result
    }

    /// Adds the subcommands that may come next.
    private mutating func offerCommands(below call: CommandCall, _ current: String) {
        let named = call.isDefault ? call.path.dropLast() : call.path[...]
        for command in named.last?.description.subcommands ?? [] where command.description.name.hasPrefix(current) {
            offers.append(.word(command.description.name, command.description.abstract))
        }
        if call.isDefault, "help".hasPrefix(current) { offers.append(.word("help", "Show the help of a command")) }
    }

    private mutating func offer(_ parameter: Parameter, _ current: String, before: [String]) {
        guard parameter.choices.isEmpty else {
            offers += parameter.choices.filter { $0.hasPrefix(current) }.map { .word($0, "") }
            return
        }
        switch parameter.completion {
        case .nothing: break
        case .files(let extensions): offers.append(.files(extensions))
        case .directories: offers.append(.directories)
        case .words(let make):
            var seen: Set<String> = []
            for word in make(before) where word.hasPrefix(current) && seen.insert(word).inserted {
                offers.append(.word(word, ""))
            }
        }
    }

    /// The output for a script: one line per completion, with a tab between a word and its description.
    var text: String {
        offers.map { offer in
            switch offer {
            case .word(let word, let meaning): meaning.isEmpty ? word : "\(word)\t\(meaning)"
            case .files(let extensions): ([":files"] + extensions).joined(separator: " ")
            case .directories: ":folders"
            }
        }.map { $0.replacingLineBreaks + "\n" }.joined()
    }

    /// Returns the script for a shell.
    static func script(for shell: CompletionsCommand.Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static let bash = #"""
        # Completion of apitest for bash.
        _apitest() {
            local current=${COMP_WORDS[COMP_CWORD]} line path extension
            [[ $current == "=" ]] && current=
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                :files*)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r path; do
                        if [[ -d $path || $line == :files ]]; then
                            COMPREPLY+=("$path")
                            continue
                        fi
                        for extension in ${line#:files}; do
                            if [[ $path == *."$extension" ]]; then COMPREPLY+=("$path"); fi
                        done
                    done < <(compgen -f -- "$current")
                    ;;
                :folders)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -d -- "$current")
                    ;;
                *) COMPREPLY+=("$(printf '%q' "${line%%$'\t'*}")") ;;
                esac
            done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _apitest apitest

        """#

    private static let zsh = #"""
        #compdef apitest
        # Completion of apitest for zsh.
        _apitest() {
            local line word
            local -a described extensions
            while IFS= read -r line; do
                case $line in
                (:files*)
                    extensions=(${=line#:files})
                    if (( ${#extensions} )); then _files -g "*.(${(j:|:)extensions})"; else _files; fi
                    ;;
                (:folders) _files -/ ;;
                (*)
                    word=${line%%$'\t'*}
                    described+=("${word//:/\\:}${${line#$word}/$'\t'/:}")
                    ;;
                esac
            done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
            if (( ${#described} )); then _describe -V apitest described; fi
        }
        if [[ "${funcstack[1]}" == _apitest ]]; then _apitest "$@"; else compdef _apitest apitest; fi

        """#

    private static let fish = #"""
        # Completion of apitest for fish.
        function __apitest_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            for line in ($words[1] __complete $words[2..] "$current" 2>/dev/null)
                switch $line
                    case ':files*' ':folders'
                        set -l extensions (string split -n ' ' -- (string replace -r '^:\w+' '' -- $line))
                        for path in (complete -C "__apitest_path $current" | string split -f 1 \t)
                            if string match -q '*/' -- $path
                                echo $path
                            else if test "$line" = ':files'
                                echo $path
                            else
                                for extension in $extensions
                                    string match -q "*.$extension" -- $path; and echo $path
                                end
                            end
                        end
                    case '*'
                        echo $line
                end
            end
        end
        complete -c apitest -f -a '(__apitest_complete)'

        """#
}

extension String {
    /// The string with line breaks replaced by spaces.
    fileprivate var replacingLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}

/// Completions from the suites on the command line.
enum SuiteCompletions {
    /// Returns the environments of the suites.
    static func environments(_ words: [String]) -> [String] {
        suites(of: words).flatMap(\.environments)
    }

    /// Returns the tags of the tests.
    static func tags(_ words: [String]) -> [String] {
        suites(of: words).flatMap { $0.tests.flatMap(\.tags) }
    }

    /// Returns the names of the tests.
    static func tests(_ words: [String]) -> [String] {
        suites(of: words).flatMap { suite in suite.tests.filter { $0.kind == .test }.map(\.name) }
    }

    /// Returns the suites on the command line, or those of the working directory.
    ///
    /// Problems with them are ignored.
    private static func suites(of words: [String]) -> [Suite] {
        let paths = words.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        let directory = Path.workingDirectory
        let loader = SuiteLoader(options: LoaderOptions(fileRoot: "/", workingDirectory: directory))
        return loader.load(paths: paths.isEmpty ? ["."] : paths).suites
    }
}
