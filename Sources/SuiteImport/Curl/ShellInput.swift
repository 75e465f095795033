import Basics

/// The output of simple commands, which another command of the pipeline reads.
struct ShellInput {
    /// The text.
    var word: ShellWord
    /// Whether the text is compressed before it is read.
    var isCompressed = false

    /// Returns what the last of several commands writes; nil if only a shell can tell.
    static func output(of commands: ArraySlice<ShellCommand>) -> ShellInput? {
        var input: ShellInput?
        for command in commands {
            let own = command.input.map { ShellInput(word: $0) } ?? input
            guard let next = output(of: command, reading: own) else { return nil }
            input = next
        }
        return input
    }

    private static func output(of command: ShellCommand, reading input: ShellInput?) -> ShellInput? {
        let words = command.words.dropFirst()
        switch command.name {
        case "echo": return ShellInput(word: echo(words))
        case "printf": return printf(Array(words)).map { ShellInput(word: $0) }
        case "cat": return words.isEmpty || words.first?.text == "-" ? input : nil
        case "base64":
            guard let option = words.first?.text, words.count == 1, ["-d", "-D", "--decode"].contains(option),
                let bytes = input?.word.bytes, let decoded = Base64.decode(bytes, allowing: .whitespace)
            else { return nil }
            return ShellInput(word: ShellWord(decoded, range: command.range))
        case "gzip":
            guard var input, !input.isCompressed else { return nil }
            input.isCompressed = true
            return input
        default: return nil
        }
    }

    private static func echo(_ words: ArraySlice<ShellWord>) -> ShellWord {
        var words = words
        var endsLine = true
        while let option = words.first?.text, ["-n", "-e", "-E", "-ne", "-en"].contains(option) {
            if option.contains("n") { endsLine = false }
            words = words.dropFirst()
        }
        var word = ShellWord.joined(Array(words), separator: 0x20)
        if endsLine { word.append(0x0A) }
        return word
    }

    /// Returns the output of `printf`; nil for a conversion other than `%s` and `%%`.
    private static func printf(_ words: [ShellWord]) -> ShellWord? {
        guard let format = words.first?.bytes else { return nil }
        var arguments = words.dropFirst()
        var result = ShellWord(at: words[0].range.lowerBound)
        var rest = format[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                switch rest.popFirst() {
                case UInt8(ascii: "%"): result.append(byte)
                case UInt8(ascii: "s"): for part in arguments.popFirst()?.parts ?? [] { result.append(part) }
                default: return nil
                }
            } else if byte == UInt8(ascii: "\\") {
                result.append(escape(&rest))
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func escape(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        guard let byte = rest.popFirst() else { return [UInt8(ascii: "\\")] }
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\\"): return [byte]
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = Int(byte - 0x30)
            var count = 1
            while count < 3, let digit = rest.first, (0x30...0x37).contains(digit) {
                value = value * 8 + Int(digit - 0x30)
                rest = rest.dropFirst()
                count += 1
            }
            return [UInt8(truncatingIfNeeded: value)]
        default: return [UInt8(ascii: "\\"), byte]
        }
    }
}
