/// What stands between the name of a test and that of its step in the name of a case.
enum StepSeparator {
    /// The separator.
    static let text = " › "

    /// The whole name, then what stands before each separator, the longest first.
    static func prefixes(of name: String) -> [Substring] {
        var result = [name[...]]
        guard name.utf8.contains(0xE2) else { return result }
        var start = name.startIndex
        var prefixes: [Substring] = []
        while start < name.endIndex {
            if name[start...].hasPrefix(text) { prefixes.append(name[..<start]) }
            start = name.index(after: start)
        }
        result += prefixes.reversed()
        return result
    }
}
