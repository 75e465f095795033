public import Diagnostics

/// Parses YAML files by the YAML 1.2 core schema, based on libyaml's parser, with the source range of every node.
///
/// A file that is valid JSON as a whole is parsed by the rules of JSON, regardless of its name.
public enum YAMLStream {
    /// Parses the documents of a file.
    ///
    /// Parsing stops at the first syntax error; other problems, such as duplicate keys, do not stop it. A file without
    /// content has no documents.
    ///
    /// - Parameters:
    ///   - file: The file, in UTF-8 with or without a byte order mark.
    ///   - limits: The limits for depth, expansion, and size.
    /// - Returns: The root of every complete document, and the problems in the order in which they were found. If one
    ///   of them is an error, use the documents only to find further problems.
    public static func parse(
        _ file: SourceFile, limits: YAMLLimits = .init()
    ) -> (documents: [YAMLNode], diagnostics: [Diagnostic]) {
        if let problem = EncodingCheck.problem(of: file, limits: limits) { return ([], [problem]) }
        if let json = JSONTextParser.parse(file, limits: limits) { return json }
        var parser = StreamParser(file: file, limits: limits)
        parser.parse()
        var problems = parser.problems.diagnostics
        // In a JSON file, the JSON rules for characters and escapes apply.
        if let last = problems.last, ["bad-escape", "unknown-escape", "control-character"].contains(last.id),
            file.name.lowercased().hasSuffix(".json"), let problem = JSONTextParser.problem(of: file)
        {
            problems[problems.count - 1] = problem
        }
        return (parser.documents, problems)
    }
}
