import CEL
import Diagnostics
import SuiteLoader
import SuiteModel
import YAML

/// The names that the document of a suite defines and uses, with their locations.
///
/// The table is built from nodes and not from the loaded suite, so it includes values that the selected environment
/// overrides and environments that are not selected.
struct NameTable {
    /// A part of the document with its own captures and variables.
    struct Unit {
        /// The kind of a unit.
        enum Kind { case setup, test, teardown, fragment }

        let kind: Kind
        /// The node of the unit.
        let node: YAMLNode
        /// The steps; the first one is the unit itself for a single exchange.
        let tree: StepTree
        /// Whether the steps are in a separate `steps` key.
        let hasSteps: Bool

        init(kind: Kind, node: YAMLNode) {
            self.kind = kind
            self.node = node
            tree = StepTree(node, isTest: kind == .test)
            hasSteps = kind != .test || node["steps"] != nil
        }

        /// The nodes of the steps.
        var steps: [YAMLNode] { tree.nodes }
    }

    /// A use of a name.
    struct Use {
        /// The index of the unit; nil for a use in the suite itself.
        var unit: Int?
        /// The index of the step in the unit.
        var step: Int?
        /// The index of the element in the step's `websocket` sequence.
        var element: Int?
        /// The start of the variable or capture whose value contains the use.
        var definition: SourcePosition?
        /// Whether the use is in the expectations of the step, which see its captures.
        var isAfterCaptures = false
    }

    /// The uses of a name.
    struct Uses {
        /// The uses in the suite itself.
        var inSuite: [Use] = []
        /// The uses in each unit.
        var inUnit: [Int: [Use]] = [:]
    }

    /// A definition of a variable or capture.
    struct Definition {
        /// The kind of a definition.
        enum Kind { case suite, environment, test, step, capture, column, loop }

        let kind: Kind
        let name: String
        let key: YAMLNode
        let value: YAMLNode
        var unit: Int?
        var step: Int?
        /// The index of the element in the step's `websocket` sequence that captures the name.
        var element: Int?

        /// The source range of the name.
        var range: SourceRange { key.range }
    }

    /// The units in execution order, followed by the fragments.
    private(set) var units: [Unit] = []
    /// The uses of each name.
    private(set) var uses: [String: Uses] = [:]
    /// The variables and captures, in source order.
    private(set) var definitions: [Definition] = []
    private var references: [String: [CELReference]] = [:]

    /// Keys whose strings are expressions without `${` and `}`, and keys of names.
    private static let bareKeys: Set<String> = [
        "assert", "if", "while", "condition", "forEach", "in", "cases", "outputs", "print",
    ]
    /// Keys whose values contain no expressions.
    private static let plainKeys: Set<String> = ["description", "secrets", "namespaces", "schemas", "tags"]

    /// Creates the table of a document.
    ///
    /// - Parameters:
    ///   - root: The document of the suite.
    ///   - settings: The settings files that the suite extends, which use its names.
    init(_ root: YAMLNode, settings: [YAMLNode] = []) {
        readSuite(root)
        for settings in settings { readSettings(settings) }
        references = [:]
    }

    // MARK: Suites

    private mutating func readSuite(_ root: YAMLNode) {
        if let setup = root["setup"] { addUnit(.setup, setup) }
        for test in root["tests"]?.elements ?? [] { addUnit(.test, test) }
        if let teardown = root["teardown"] { addUnit(.teardown, teardown) }
        for (_, fragment) in root["fragments"]?.members ?? [] { addUnit(.fragment, fragment) }
        for index in units.indices { readUnit(index) }
        for (key, value) in root.members {
            guard let name = key.scalar?.text, !name.hasPrefix("x-") else { continue }
            switch name {
            // A fragment file has its own names and does not see those of the suite.
            case "setup", "tests", "teardown", "fragments", "name", "use": continue
            case "variables": define(.suite, value)
            // Sources of secrets may contain expressions, names do not.
            case "secrets": if value.kind == .mapping { walk(value, Use(), isBare: false) }
            case "environments":
                for (_, environment) in value.members {
                    for (key, value) in environment.members {
                        if key.scalar?.text == "variables" {
                            define(.environment, value)
                        } else {
                            walk(value, Use(), isBare: false)
                        }
                    }
                }
            default:
                if !Self.plainKeys.contains(name) { walk(value, Use(), isBare: false) }
            }
        }
    }

    /// Notes the names that a settings file uses. Those that it defines need not be used by every suite.
    private mutating func readSettings(_ root: YAMLNode) {
        for (key, value) in root.members {
            guard let name = key.scalar?.text, !name.hasPrefix("x-"), name != "use", name != "extends" else { continue }
            if !Self.plainKeys.contains(name) || value.kind == .mapping { walk(value, Use(), isBare: false) }
        }
    }

    private mutating func addUnit(_ kind: Unit.Kind, _ node: YAMLNode) {
        units.append(Unit(kind: kind, node: node))
    }

    // MARK: Units

    private mutating func readUnit(_ index: Int) {
        let unit = units[index]
        for (position, step) in unit.steps.enumerated() { readStep(step, unit: index, position) }
        if !unit.hasSteps { return }
        for (key, value) in unit.node.members {
            guard let name = key.scalar?.text, !name.hasPrefix("x-"), name != "steps", name != "finally" else {
                continue
            }
            readMember(name, value, Use(unit: index), variables: .test)
        }
    }

    private mutating func readStep(_ node: YAMLNode, unit: Int, _ step: Int) {
        let isTest = !units[unit].hasSteps && step == 0
        for (key, value) in node.members {
            guard let name = key.scalar?.text, !name.hasPrefix("x-") else { continue }
            switch name {
            case "capture":
                let location = Use(unit: unit, step: step)
                for (key, value) in value.members { define(.capture, key, value, location) }
            case "websocket":
                for (index, element) in value.elements.enumerated() {
                    let location = Use(unit: unit, step: step, element: index)
                    note(.capture, element["receive"]?["capture"]?.members ?? [], location)
                    walk(element, location, isBare: false)
                }
            case "steps", "finally": continue
            // These are evaluated after the step, and after the steps of a group.
            case "until" where node["steps"] != nil, "while":
                readMember(name, value, Use(unit: unit, step: units[unit].tree.ends[step]), variables: .step)
            case "variables", "cases", "matrix", "name":
                readMember(name, value, Use(unit: unit, step: isTest ? nil : step), variables: isTest ? .test : .step)
            default:
                let isAfterCaptures = name == "expect" || name == "assert"
                readMember(
                    name, value, Use(unit: unit, step: step, isAfterCaptures: isAfterCaptures), variables: .step)
            }
        }
    }

    private mutating func readMember(
        _ name: String, _ value: YAMLNode, _ location: Use, variables kind: Definition.Kind
    ) {
        switch name {
        case "variables":
            for (key, value) in value.members { define(kind, key, value, location) }
            return
        case "cases":
            for row in value.elements { note(.column, row.members, location) }
            if let columns = value["generate"] {
                note(.column, columns.members, location)
                // A schema contains no expressions.
                for key in ["count", "seed"] {
                    if let value = value[key] { walk(value, location, isBare: false) }
                }
                return
            }
        case "matrix":
            for (key, value) in value.members {
                switch key.scalar?.text {
                case "exclude": break
                case "include": for row in value.elements { note(.column, row.members, location) }
                default: note(.column, [(key, value)], location)
                }
            }
        case "forEach":
            for (key, value) in value.members where key.scalar?.text == "as" || key.scalar?.text == "index" {
                guard let name = value.scalar?.text else { continue }
                definitions.append(
                    Definition(
                        kind: .loop, name: name, key: value, value: value, unit: location.unit, step: location.step))
            }
        default: break
        }
        if !Self.plainKeys.contains(name) { walk(value, location, isBare: Self.bareKeys.contains(name)) }
    }

    // MARK: Definitions

    private mutating func define(_ kind: Definition.Kind, _ variables: YAMLNode) {
        for (key, value) in variables.members { define(kind, key, value, Use()) }
    }

    private mutating func define(_ kind: Definition.Kind, _ key: YAMLNode, _ value: YAMLNode, _ location: Use) {
        note(kind, [(key, value)], location)
        walk(value, Use(unit: location.unit, step: location.step, definition: key.range.start), isBare: false)
    }

    private mutating func note(_ kind: Definition.Kind, _ members: [YAMLMapping.Element], _ location: Use) {
        for (key, value) in members {
            guard let name = key.scalar?.text else { continue }
            definitions.append(
                Definition(
                    kind: kind, name: name, key: key, value: value, unit: location.unit, step: location.step,
                    element: location.element))
        }
    }

    // MARK: Uses

    /// Records the names that the expressions of a node use. Parsing limits the depth, so this recursion is bounded.
    private mutating func walk(_ node: YAMLNode, _ location: Use, isBare: Bool) {
        if let scalar = node.scalar {
            if scalar.isString { walk(scalar.text, location, isBare: isBare) }
            return
        }
        for element in node.elements { walk(element, location, isBare: isBare) }
        for (key, value) in node.members {
            guard let name = key.scalar?.text else { continue }
            if ExpressionScan.mayHoldExpression(name[...]) { walk(name, location, isBare: false) }
            walk(value, location, isBare: isBare || Self.bareKeys.contains(name))
        }
    }

    private mutating func walk(_ text: String, _ location: Use, isBare: Bool) {
        guard ExpressionScan.mayHoldExpression(text[...]),
            let pieces = try? ExpressionScan.pieces(of: text[...], firstScalar: 0)
        else {
            if isBare { note(text, location) }
            return
        }
        var hasExpression = false
        for piece in pieces {
            guard case .expression(let source, _) = piece else { continue }
            hasExpression = true
            note(source, location)
        }
        if isBare, !hasExpression { note(text, location) }
    }

    private mutating func note(_ source: String, _ location: Use) {
        let found: [CELReference]
        if let known = references[source] {
            found = known
        } else {
            found = (try? CELExpression(source))?.freeIdentifiers ?? []
            references[source] = found
        }
        for reference in found {
            if let unit = location.unit {
                uses[reference.name, default: Uses()].inUnit[unit, default: []].append(location)
            } else {
                uses[reference.name, default: Uses()].inSuite.append(location)
            }
        }
    }
}
