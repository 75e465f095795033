import Basics

/// The variables of a shell script, and what its commands share.
struct CurlScope {
    /// The cookie jars that commands have written.
    var jars: Set<String> = []
    /// Whether a command sends the cookies that an earlier one received.
    var keepsCookies = false
    private var names = ImportedNames()
    /// The variables of the suite, in order of first use.
    private(set) var variables: [ImportedVariable] = []
    private var assigned: [String: ShellWord] = [:]
    private var used: Set<String> = []

    /// The maximum nesting depth of variables that are assigned from others.
    private static let maximumDepth = 16

    /// Assigns a variable of the shell.
    mutating func assign(_ name: String, _ value: ShellWord) {
        // A name that was used already keeps its value: a suite has only one.
        if !used.contains(name) { assigned[name] = value }
    }

    /// Returns the name of a capture that assigns a variable of the shell.
    mutating func captured(_ name: String) -> String {
        used.insert(name)
        return names.name(name)
    }

    /// Returns a word in which variables that the script assigns are replaced by their values.
    func resolved(_ word: ShellWord) -> ShellWord { resolved(word, depth: 0) }

    private func resolved(_ word: ShellWord, depth: Int) -> ShellWord {
        if word.bytes != nil || depth > Self.maximumDepth { return word }
        var result = ShellWord(at: word.range.lowerBound)
        result.range = word.range
        result.isQuoted = word.isQuoted
        for part in word.parts {
            if case .variable(let name, _) = part, let value = assigned[name] {
                for part in resolved(value, depth: depth + 1).parts { result.append(part) }
            } else {
                result.append(part)
            }
        }
        return result
    }

    /// Returns the bytes of a word; nil if it contains expansions.
    func bytes(_ word: ShellWord) -> [UInt8]? { word.bytes }

    /// Returns the name of a variable for an environment variable.
    mutating func environmentVariable(_ name: String) -> String {
        use(name, depth: 0)
    }

    /// Returns a word as a string of a suite.
    ///
    /// - Parameter unknown: The expansions that only a shell can make. Each becomes a variable.
    mutating func text(_ word: ShellWord, unknown: inout [String]) -> ImportedText {
        text(word, unknown: &unknown, depth: 0)
    }

    private mutating func text(_ word: ShellWord, unknown: inout [String], depth: Int) -> ImportedText {
        var text = ImportedText()
        for part in word.parts {
            switch part {
            case .bytes(let bytes): text.append(literal: String(decoding: bytes, as: UTF8.self))
            case .variable(let name, let fallback?) where assigned[name] == nil:
                let value = String(decoding: fallback, as: UTF8.self)
                text.append(
                    expression: "env(\(ImportedNames.literal(name)), \(ImportedNames.literal(value)))")
            case .variable(let name, _): text.append(expression: use(name, depth: depth))
            case .substitution(let source):
                unknown.append(source)
                let name = names.name("expansion " + source)
                if used.insert("expansion " + source).inserted {
                    variables.append(
                        ImportedVariable(name, environment: ImportedNames.environmentName(name)))
                }
                text.append(expression: name)
            }
        }
        return text
    }

    /// Returns the name of the variable for a variable of the shell.
    private mutating func use(_ shellName: String, depth: Int) -> String {
        let name = names.name(shellName)
        guard used.insert(shellName).inserted else { return name }
        guard let word = assigned[shellName], depth < Self.maximumDepth else {
            variables.append(ImportedVariable(name, environment: shellName))
            return name
        }
        var unknown: [String] = []
        let value = text(word, unknown: &unknown, depth: depth + 1)
        variables.append(ImportedVariable(name, .text(value)))
        return name
    }
}
