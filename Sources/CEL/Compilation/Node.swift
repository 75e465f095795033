import JSONPath
import RegularExpressions

/// A node of the compiled expression; operands are indexes of the program's nodes.
enum Node: Sendable {
    case constant(CELValue)
    /// A variable of a macro, by its place.
    case local(Int)
    /// A variable of the scope, and the type the name stands for when the scope has no such variable.
    case variable(String, type: CELType?)
    /// A name of the scope that may hold dots; the longest one that the scope has wins.
    case qualified([QualifiedName])
    /// Selections and constant indexes behind a variable or a local.
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
    /// `optMap` and `optFlatMap`: the target, the place of the variable, the transformation.
    case optionalMap(Int, slot: Int, Int, isFlat: Bool)
    /// `or` and `orValue`: the target, and what to take when it has no value.
    case optionalOr(Int, Int, unwraps: Bool)
    /// `cel.bind(name, value, result)`.
    case bind(slot: Int, Int, Int)
    /// `matches` with a constant pattern.
    case matches(Int, RegularExpression)
    /// `jsonpath` with a constant path.
    case jsonPath(Int, JSONPath)
    /// What fails when it is evaluated, for example a call of a function that does not exist.
    case failure(String)

    struct QualifiedName: Sendable {
        let name: String
        /// The fields to select from the variable's value.
        let fields: [String]
    }

    struct Path: Sendable {
        enum Root: Sendable {
            case local(Int)
            case variable(String)
        }

        let root: Root
        let rootSpan: Span
        let steps: [PathStep]
    }

    struct PathStep: Sendable {
        enum Key: Sendable {
            case field(String)
            case index(Int64)
        }

        let key: Key
        /// The part of the source up to and with this step.
        let span: Span
    }

    struct ListElement: Sendable {
        let value: Int
        let isOptional: Bool
    }

    struct MapEntry: Sendable {
        let key: Int
        let value: Int
        let isOptional: Bool
    }
}

/// How dotted names are looked up.
struct NameResolution: Sendable {
    /// The container (cel-spec, "Name Resolution"), such as `com.example`.
    var container = ""
    /// True when the scope may have variables with dots in their names; else only the first part is looked up.
    var hasQualifiedNames = false
    /// True when an unknown function fails at evaluation only, as it does without a type checker.
    var allowsUnknownFunctions = false

    /// The names to try for dotted parts, the one to prefer first.
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
