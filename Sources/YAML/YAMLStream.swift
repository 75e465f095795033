public import Diagnostics

/// Reads YAML files: YAML 1.2's core schema on libyaml's parser, with the place of every node.
///
/// A file that is JSON as a whole is read by JSON's own rules, whatever its name.
public enum YAMLStream {
    /// Reads the documents of a file.
    ///
    /// Reading stops at the first error of syntax; other problems, such as a duplicate key, do not stop it. A file
    /// without content has no documents.
    ///
    /// - Parameters:
    ///   - file: The file, in UTF-8 with or without a byte order mark.
    ///   - limits: The bounds on depth, expansion and size.
    /// - Returns: The root of every document that is complete, and the problems in the order in which they were found.
    ///   When one of the problems is an error, the documents are there only to look for further problems.
    public static func parse(
        _ file: SourceFile, limits: YAMLLimits = .init()
    ) -> (documents: [YAMLNode], diagnostics: [Diagnostic]) {
        if let problem = EncodingCheck.problem(of: file, limits: limits) { return ([], [problem]) }
        if let json = JSONTextParser.parse(file, limits: limits) { return json }
        var parser = StreamParser(file: file, limits: limits)
        parser.parse()
        var problems = parser.problems.diagnostics
        // In a JSON file, JSON's rules for characters and escapes are those to follow.
        if let last = problems.last, ["bad-escape", "unknown-escape", "control-character"].contains(last.id),
            file.name.lowercased().hasSuffix(".json"), let problem = JSONTextParser.problem(of: file)
        {
            problems[problems.count - 1] = problem
        }
        return (parser.documents, problems)
    }
}
