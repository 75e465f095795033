import Basics

/// A reader of curl's configuration files (`-K`).
enum CurlConfigFile {
    /// Returns the words of a command line with the options of a configuration file.
    ///
    /// - Parameter offset: The offset in the source of the option that names the file, for problems.
    static func words(_ bytes: [UInt8], offset: Int) -> [ShellWord] {
        var words: [ShellWord] = []
        for line in bytes.split(separator: 0x0A) {
            var rest = ASCII.trimmed(line, ASCII.isWhitespace)[...]
            if rest.isEmpty || rest.first == UInt8(ascii: "#") { continue }
            let isSeparator = { (byte: UInt8) in
                ASCII.isBlank(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":")
            }
            // A URL may stand alone after dashes only in a command line, so the first word is an option.
            var name = Array(rest.prefix { !isSeparator($0) })
            rest = rest.dropFirst(name.count)
            rest = rest.drop(while: isSeparator)
            if name.first != UInt8(ascii: "-") { name = Array("--".utf8) + name }
            words.append(ShellWord(name, range: offset..<offset))
            if rest.isEmpty { continue }
            let option = CurlOption.long(String(decoding: name.dropFirst(2), as: UTF8.self))
            let isShort = !name.starts(with: "--".utf8)
            if isShort || option?.takesValue ?? true { words.append(ShellWord(value(rest), range: offset..<offset)) }
        }
        return words
    }

    private static func value(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.first == UInt8(ascii: "\"") else {
            return Array(text.prefix { !ASCII.isWhitespace($0) })
        }
        var value: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                value.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): value.append(0x0A)
            case UInt8(ascii: "r"): value.append(0x0D)
            case UInt8(ascii: "t"): value.append(0x09)
            case UInt8(ascii: "v"): value.append(0x0B)
            default: value.append(escape)
            }
        }
        return value
    }
}
