/// Keeps the previous values of variables for captures that use them after the response, where the same step captures the
/// variables again.
///
/// In a step, a name means its own capture. A capture that uses the previous value gets it from a variable of the step.
struct PreviousValues {
    private var uses = NameUses()

    /// Adds the variables to a suite.
    static func apply(to suite: inout ImportedSuite) {
        var pass = PreviousValues()
        var known: Set<String> = []
        var names: ImportedNames?
        let defined = suite.definedNames
        suite.forEachStep { step in
            for name in pass.neededNames(in: step) where known.contains(name) {
                if names == nil {
                    names = ImportedNames()
                    for name in defined { _ = names?.unique(name) }
                }
                let other = names?.unique("previous" + name.prefix(1).uppercased() + name.dropFirst()) ?? name
                pass.rename(name, to: other, in: &step)
                step.variables.append(ImportedVariable(other, .expression(name)))
            }
            known.formUnion(step.captures.map(\.name))
        }
    }

    /// Returns the names that captures of a step use before it captures them.
    private mutating func neededNames(in step: ImportedStep) -> [String] {
        let last = Dictionary(step.captures.enumerated().map { ($0.element.name, $0.offset) }) { $1 }
        var needed: [String] = []
        for (position, capture) in step.captures.enumerated() where last.count > 1 {
            for name in names(in: capture) where name != capture.name && !needed.contains(name) {
                if let end = last[name], end > position { needed.append(name) }
            }
        }
        return needed
    }

    private mutating func names(in capture: ImportedCapture) -> [String] {
        var sources: [String] = []
        _ = FormTransform { source in
            sources.append(source)
            return source
        }(capture)
        return sources.flatMap { uses.names(in: $0) }
    }

    private mutating func rename(_ name: String, to other: String, in step: inout ImportedStep) {
        var uses = uses
        let transform = FormTransform { uses.renaming(name, to: other, in: $0) }
        let end = step.captures.lastIndex { $0.name == name } ?? 0
        for position in step.captures.indices where position < end && step.captures[position].name != name {
            step.captures[position] = transform(step.captures[position])
        }
        self.uses = uses
    }
}
