import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// The keys of a source under `secrets`.
enum SecretKey: String, CaseIterable, Sendable {
    case run

    static let schema = MapSchema<SecretKey>(
        "secret", title: "the source of a secret", "The source of a secret.",
        rows: [
            .init(
                .run, RunKey.kind, required: true,
                "A program that runs once before the first test that needs the secret; its output is the value.")
        ],
        misplaced: [
            "command": .key("run"), "env": "give the variable the value ${env(…)} under \"variables\"",
        ])
}

/// Reads `secrets` in the form of a mapping of names to sources.
struct SecretCommandReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Adds the secrets of a mapping to a suite. Those with a source become variables.
    ///
    /// The variables of the suite, and no others, must have been read before. Of equal names in the suite and its
    /// settings files, the last wins.
    ///
    /// - Parameter files: The settings files and the file of the suite, in the order in which they apply.
    func read(
        _ node: YAMLNode, into suite: inout Suite, names: inout LocatedSecrets, scope: inout SuiteScope,
        files: [SourceFile]
    ) {
        context.readMembers(node, .anyOf([.map("secret"), .null])) { name, key, value in
            if value.kind != .mapping {
                names.add(SecretReader(context).names(key))
                return
            }
            context.checkName(name, key, what: "a secret")
            names.add(name, key.range)
            if let other = suite.variables.last(where: { $0.name == name }), other.range.file !== key.file {
                let isOverridden = files.prefix { $0 !== other.range.file }.contains { $0 === key.file }
                if isOverridden { return }
                suite.variables.removeAll { $0.name == name }
                suite.secretCommands.removeAll { $0.name == name }
            } else if let other = suite.variables.first(where: { $0.name == name }) {
                context.report(
                    "conflicting-names", "\"\(name)\" has a value under \"variables\" and a source under \"secrets\"",
                    key.range, related: [Diagnostic.Related(message: "the variable is here", range: other.range)],
                    suggestion: "remove one of them")
                return
            }
            var command: CommandSpec?
            let uses = context.recordingUses {
                MapReader(context, SecretKey.schema).read(value) { _, _, run in
                    command = RunReader(context).command(run)
                }
            }.1
            guard let command else { return }
            suite.secretCommands.append(SecretCommand(name: name, command: command, range: key.range))
            suite.variables.append(Variable(name: name, value: .constant(.string("")), range: key.range))
            scope.commandVariables.insert(scope.variables.count)
            scope.variables.append(SuiteScope.VariableEntry(name: name, range: key.range, uses: uses))
        }
        scope.suiteVariables = 0..<scope.variables.count
    }
}
