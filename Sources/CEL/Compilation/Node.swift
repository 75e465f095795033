import Basics
import JSONPath
import RegularExpressions

/// A node of the compiled expression; operands are indices into the nodes of the program.
enum Node: Sendable {
    case constant(CELValue)
    /// A macro variable, by its slot.
    case local(Int)
    /// A variable of the scope, and the type that the name denotes if the scope has no such variable.
    case variable(String, type: CELType?)
    /// A variable of the scope whose name may contain dots. The longest name that the scope has wins.
    case qualified([QualifiedName])
    /// Selections and constant indexes after a variable or a local.
    case path(Path)
    case select(Int, field: String, isOptional: Bool)
    case has(Int, field: String)
    case index(Int, Int, isOptional: Bool)
    case list([ListElement])
    case map([MapEntry])
    case not(Int)
    case negate(Int)
    case binary(BinaryOperator, Int, Int)
    case and([Int])
    case or([Int])
    case conditional(Int, Int, Int)
    case call(CompiledCall)
    case comprehension(Comprehension)
    /// `optMap` and `optFlatMap`: the target, the slot of the variable, and the transformation.
    case optionalMap(Int, slot: Int, Int, isFlat: Bool)
    /// `or` and `orValue`: the target, and the alternative if it has no value.
    case optionalOr(Int, Int, unwraps: Bool)
    /// `cel.bind(name, value, result)`.
    case bind(slot: Int, Int, Int)
    /// `matches` with a constant pattern.
    case matches(Int, RegularExpression)
    /// `jsonpath` with a constant path.
    case jsonPath(Int, JSONPath)
    /// An error that is thrown at evaluation, for example a call of an unknown function.
    case failure(MessageText)

    /// A dotted name of a variable, and the fields that remain of the path.
    struct QualifiedName: Sendable {
        let name: String
        /// The fields to select from the value of the variable.
        let fields: [String]
    }

    /// A variable or a local with the selections after it.
    struct Path: Sendable {
        enum Root: Sendable {
            case local(Int)
            case variable(String)
        }

        let root: Root
        let rootSpan: Span
        let steps: [PathStep]
    }

    /// A selection or a constant index.
    struct PathStep: Sendable {
        enum Key: Sendable {
            case field(String)
            case index(Int64)
        }

        let key: Key
        /// The source span from the start of the path to the end of this step.
        let span: Span
    }

    /// An element of a list literal, by the index of its node.
    struct ListElement: Sendable {
        let value: Int
        let isOptional: Bool
    }

    /// An entry of a map literal, by the indices of its nodes.
    struct MapEntry: Sendable {
        let key: Int
        let value: Int
        let isOptional: Bool
    }
}

/// The rules for looking up dotted names.
struct NameResolution: Sendable {
    /// The container (cel-spec, "Name Resolution"), such as `com.example`.
    var container = ""
    /// Whether variables of the scope may have dotted names; otherwise, only the first component is looked up.
    var hasQualifiedNames = false
    /// Whether unknown functions fail only at evaluation, as they do without a type checker.
    var allowsUnknownFunctions = false

    /// Returns the candidate names for dotted components, in order of preference.
    func candidates(for parts: [String], isRooted: Bool) -> [Node.QualifiedName] {
        var prefixes: [String] = []
        if !isRooted, !container.isEmpty {
            var components = container.split(separator: ".").map(String.init)
            while !components.isEmpty {
                prefixes.append(components.joined(separator: ".") + ".")
                components.removeLast()
            }
        }
        prefixes.append("")
        var candidates: [Node.QualifiedName] = []
        for length in stride(from: parts.count, to: 0, by: -1) {
            for prefix in prefixes {
                candidates.append(
                    Node.QualifiedName(
                        name: prefix + parts.prefix(length).joined(separator: "."),
                        fields: Array(parts.dropFirst(length))))
            }
        }
        return candidates
    }
}
