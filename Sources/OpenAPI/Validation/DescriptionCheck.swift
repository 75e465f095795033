public import Diagnostics

extension OpenAPILoader {
    /// Loads a description and looks for everything that is wrong with it, also in parts that nothing uses.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description; nil when the file cannot be read or is no OpenAPI description. And what is wrong.
    public func check(_ location: String) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let (description, found) = load(location)
        guard let description else { return (nil, found) }
        let original = description.root.file.original
        // What is written is looked at, not what a Swagger 2.0 description was converted to.
        let files = description.version == .swagger2 ? DescriptionFiles(source: source) : description.files
        files.add(original)
        var check = StructureCheck(
            DescriptionNode(file: original, value: original.value), version: description.version, files: files,
            operations: LinkTargets(description.operations))
        check.run()
        var problems = check.problems
        let structural = Set(problems.all.map(Told.init))
        var samples = SampleCheck(description)
        samples.run(check.samples)
        for problem in samples.problems.all { problems.add(problem) }
        // References are grouped, each group with one place.
        let tellsReferences = !structural.contains { $0.id == Self.reference }
        for problem in found where !structural.contains(Told(problem)) {
            if tellsReferences || problem.id != Self.reference { problems.add(problem) }
        }
        return (description, problems.sorted)
    }

    /// Loads a description; with `isStrict`, the errors that ``check(_:)`` finds in all of its parts are problems too.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description; nil when the file cannot be read or is no OpenAPI description. And what is wrong.
    public func load(
        _ location: String, isStrict: Bool
    ) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        guard isStrict else { return load(location) }
        let (description, problems) = check(location)
        guard let description else { return (nil, problems) }
        let loaded = Set(description.problems)
        return (description, problems.filter { $0.severity == .error || loaded.contains($0) })
    }

    private static let reference = "unresolved-reference"

    /// What is told of a place: the structure is looked at twice, and in different words.
    private struct Told: Hashable {
        var id: String
        var range: SourceRange?

        init(_ problem: Diagnostic) {
            id = problem.id == "invalid-schema" ? "invalid-openapi" : problem.id
            range = problem.range
        }
    }
}
