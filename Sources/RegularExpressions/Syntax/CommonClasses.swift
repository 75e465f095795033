/// The predefined classes of the dialects.
enum CommonClasses {
    static let digits = ScalarSet([0x30...0x39])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// What `\w` is under ECMA-262's `u` and `i` flags: the characters that fold to an ASCII letter belong to it.
    static let foldedWordCharacters = wordCharacters.union(ScalarSet([0x17F...0x17F, 0x212A...0x212A]))

    /// WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
    static let ecmaScriptSpace = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])

    static let re2Space = ScalarSet([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])

    static let exceptNewline = ScalarSet(scalar: 0x0A).complement
    static let exceptLineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).complement
    static let exceptNewlineAndReturn = ScalarSet([0x0A...0x0A, 0x0D...0x0D]).complement

    /// A POSIX class such as `alpha`, or `nil` when there is none of that name.
    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
        case "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A])
        case "ascii": ScalarSet([0x00...0x7F])
        case "blank": ScalarSet([0x09...0x09, 0x20...0x20])
        case "cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F])
        case "digit": digits
        case "graph": ScalarSet([0x21...0x7E])
        case "lower": ScalarSet([0x61...0x7A])
        case "print": ScalarSet([0x20...0x7E])
        case "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
        case "space": ScalarSet([0x09...0x0D, 0x20...0x20])
        case "upper": ScalarSet([0x41...0x5A])
        case "word": wordCharacters
        case "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
        default: nil
        }
    }
}
