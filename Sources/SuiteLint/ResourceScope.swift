import Basics
import CEL
import JSON
import SuiteLoader
import SuiteModel

/// The scope of a test or of a called fragment, in which the URLs of tests can be compared before the run.
struct ResourceScope {
    /// The origin of the value of a name.
    private enum Origin {
        /// A variable, or a capture of another test, with an identifier of the test or call that it comes from.
        case name(from: String)
        /// An argument of a call, with the identity of its value.
        case argument(String)
    }

    /// Returns the origin of a name; nil if its value may differ between tests.
    private let origin: (String) -> Origin?

    /// Returns an identity of a string that is equal in two tests if their strings are equal; nil if they may differ.
    func identity(of template: Template) -> String? {
        switch template {
        case .constant(let text): return text
        case .expression(let expression): return identity(of: expression)
        case .joined(let parts):
            var text = ""
            for part in parts {
                switch part {
                case .text(let constant):
                    text += constant
                    // The query of a URL does not name another resource.
                    if constant.utf8.contains(UInt8(ascii: "?")) { return text }
                case .expression(let expression):
                    guard let part = identity(of: expression) else { return nil }
                    text += part
                }
            }
            return text
        }
    }

    private func identity(of expression: EmbeddedExpression) -> String? {
        let source = String(expression.expression.source.filter { $0 != " " })
        // A call may return a different value each time, and a conditional may differ between tests.
        guard source.utf8.allSatisfy({ ExpressionScan.isNamePart($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        var origins = ""
        for name in expression.expression.freeIdentifiers {
            switch origin(name.name) {
            case .name(let identifier): origins += identifier
            case .argument(let value): if source == name.name { return value } else { origins += "@\(value)" }
            case nil: return nil
            }
        }
        return "${\(source)\(origins)}"
    }

    private func identity(of value: ValueTemplate) -> String? {
        switch value {
        case .constant(.string(let text)): text
        case .constant(let value): value.serialized()
        case .template(let template): identity(of: template)
        case .array, .object: nil
        }
    }
}

extension ResourceScope {
    /// Returns the scopes of the tests of a suite, in order.
    static func tests(_ subject: LintSubject) -> [ResourceScope] {
        var local: [Int: Set<String>] = [:]
        for definition in subject.names.definitions {
            if let unit = definition.unit { local[unit, default: []].insert(definition.name) }
        }
        return subject.suite.tests.map { test in
            ResourceScope(
                of: test, local: (local[test.index] ?? []).union(test.steps.flatMap { $0.definedNames.map(\.name) }))
        }
    }

    /// Creates the scope of a test.
    ///
    /// - Parameter local: The names that the test defines itself, including the outputs of fragments that it calls.
    private init(of test: SuiteTest, local: Set<String>) {
        let shared = Self.sharedNames(test)
        origin = { name in
            if let call = shared[name] { return .name(from: "@\(call)") }
            if local.contains(name) || name == "steps" || name == "tests" { return nil }
            var identifiers = ""
            for dependency in test.dependencies {
                if case .capture(name) = dependency.reason { identifiers += "@\(dependency.test)" }
            }
            return .name(from: identifiers)
        }
    }

    /// Creates the scope of a fragment for a call.
    ///
    /// - Parameter caller: The scope of the arguments.
    init(of call: FragmentCall, in caller: ResourceScope, _ suite: Suite) {
        let fragment = call.fragment
        var arguments: [String: String] = [:]
        for parameter in fragment.parameters {
            let argument = call.arguments.first { $0.name == parameter.name }?.value
            arguments[parameter.name] = (argument ?? parameter.defaultValue).flatMap { caller.identity(of: $0) }
        }
        var variables = Set(fragment.origin.isInSuite ? suite.variables.map(\.name) : [])
        variables.subtract(fragment.parameters.map(\.name))
        variables.subtract(fragment.variables.map(\.name))
        for step in fragment.steps { variables.subtract(step.definedNames.map(\.name)) }
        origin = { name in
            arguments[name].map(Origin.argument) ?? (variables.contains(name) ? .name(from: "") : nil)
        }
    }

    /// Returns the names whose values come from a call that the run makes once, with an identifier of the call.
    private static func sharedNames(_ test: SuiteTest) -> [String: String] {
        var shared: [String: String] = [:]
        var known: Set<String> = []
        for step in test.steps {
            for (name, _) in step.definedNames {
                let isFirst = known.insert(name).inserted
                shared[name] = isFirst && step.captures.isEmpty ? step.call?.sharedIdentifier : nil
            }
        }
        return shared
    }
}

extension FragmentCall {
    /// An identifier of a call whose outputs all tests with an identical call share; nil if there may be other calls.
    fileprivate var sharedIdentifier: String? {
        guard runsOnce else { return nil }
        var text = fragment.name
        for argument in arguments {
            guard case .constant(let value) = argument.value else { return nil }
            text += " \(argument.name)=\(value.serialized())"
        }
        return text
    }
}
