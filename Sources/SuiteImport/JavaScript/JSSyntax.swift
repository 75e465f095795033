/// An expression of JavaScript with its range in the script.
struct JSExpression: Sendable {
    /// The kinds of expressions.
    indirect enum Kind: Sendable {
        case name(String)
        case number(String)
        case string(String)
        case bool(Bool)
        case null
        case regularExpression(String, flags: String)
        case template([String], [JSExpression])
        case array([JSExpression])
        case object([Property])
        case function(JSFunction)
        case member(JSExpression, String)
        case index(JSExpression, JSExpression)
        case call(JSExpression, [JSExpression])
        case new(JSExpression, [JSExpression])
        case unary(String, JSExpression)
        case binary(String, JSExpression, JSExpression)
        case conditional(JSExpression, JSExpression, JSExpression)
        /// An assignment with its operator, such as `=`, `+=` or `++`.
        case assignment(String, JSExpression, JSExpression)
        case spread(JSExpression)
    }

    /// A member of an object literal.
    struct Property: Sendable {
        /// The name; nil for `...value`, and for a computed name.
        var name: String?
        /// The value.
        var value: JSExpression
    }

    /// The kind.
    var kind: Kind
    /// The range in the bytes of the script.
    var range: Range<Int>
}

/// A function of JavaScript.
struct JSFunction: Sendable {
    /// The parameters.
    var parameters: [JSPattern]
    /// The statements; an arrow function with an expression has a single `return`.
    var body: [JSStatement]
}

/// The target of a declaration or a parameter.
indirect enum JSPattern: Sendable {
    case name(String)
    /// An object pattern: the members with their targets and default values.
    case object([(name: String, target: JSPattern)])
    /// An array pattern; nil for an element that is skipped.
    case array([JSPattern?])
    /// A target with a default value.
    case defaulted(JSPattern, JSExpression)

    /// The name that the pattern binds to the whole value; nil if it binds parts.
    var name: String? {
        switch self {
        case .name(let name): name
        case .defaulted(let target, _): target.name
        case .object, .array: nil
        }
    }

    /// The names that the pattern binds.
    var names: [String] {
        switch self {
        case .name(let name): [name]
        case .object(let members): members.flatMap(\.target.names)
        case .array(let elements): elements.flatMap { $0?.names ?? [] }
        case .defaulted(let target, _): target.names
        }
    }
}

/// A statement of JavaScript with its range in the script.
struct JSStatement: Sendable {
    /// The kinds of statements.
    indirect enum Kind: Sendable {
        case expression(JSExpression)
        case declaration([(target: JSPattern, value: JSExpression?)])
        case function(String, JSFunction)
        case conditional(JSExpression, then: [JSStatement], otherwise: [JSStatement])
        case block([JSStatement])
        /// `for (const x of list)`, and `for (const x in object)`.
        case iteration(JSPattern, isOverKeys: Bool, JSExpression, [JSStatement])
        /// `for (let i = 0; i < end; i++)`, with the name and the end.
        case counting(String, JSExpression, [JSStatement])
        /// `try`, with the statements of `catch`, or nil without it, and those of `finally`.
        case attempt([JSStatement], handler: [JSStatement]?, end: [JSStatement])
        case returned(JSExpression?)
        case thrown
        /// `break`.
        case stopped
        /// `continue`.
        case continued
        case empty
        /// A statement that is not in the supported subset, such as `while` or `class`.
        case unsupported(String)
    }

    /// The kind.
    var kind: Kind
    /// The range in the bytes of the script.
    var range: Range<Int>

    /// Removes `break` at the end of statements, and returns whether they end with it or with another jump.
    static func removeEnd(of statements: inout [JSStatement]) -> Bool {
        guard let last = statements.last else { return false }
        switch last.kind {
        case .stopped:
            statements.removeLast()
            return true
        case .returned, .continued, .thrown: return true
        case .block(var inner):
            let hasEnd = removeEnd(of: &inner)
            statements[statements.count - 1].kind = .block(inner)
            return hasEnd
        default: return false
        }
    }

    /// Whether the statement contains `break` that does not belong to a loop in it.
    var hasBreak: Bool {
        switch kind {
        case .stopped: true
        case .block(let statements): statements.contains(where: \.hasBreak)
        case .conditional(_, let then, let otherwise): (then + otherwise).contains(where: \.hasBreak)
        case .attempt(let statements, let handler, let end):
            (statements + (handler ?? []) + end).contains(where: \.hasBreak)
        default: false
        }
    }

    /// Whether the statement may end the function or the loop around it.
    var mayEnd: Bool {
        switch kind {
        case .returned, .continued, .stopped, .thrown: true
        default: parts.contains(where: \.mayEnd)
        }
    }

    /// Whether the statement may end the function around it without an exception.
    var mayReturn: Bool {
        if case .returned = kind { true } else { parts.contains(where: \.mayReturn) }
    }

    /// The statements in the statement, without those of functions.
    private var parts: [JSStatement] {
        switch kind {
        case .block(let statements), .iteration(_, _, _, let statements), .counting(_, _, let statements): statements
        case .conditional(_, let then, let otherwise): then + otherwise
        case .attempt(let statements, let handler, let end): statements + (handler ?? []) + end
        case .returned, .continued, .stopped, .thrown, .expression, .declaration, .function, .empty, .unsupported: []
        }
    }

    /// Whether the statement throws.
    var isThrown: Bool { if case .thrown = kind { true } else { false } }

    /// Whether the statement only writes to the console.
    var isOutput: Bool {
        switch kind {
        case .empty: return true
        case .block(let statements): return statements.allSatisfy(\.isOutput)
        case .expression(let expression):
            guard case .call(let callee, _) = expression.kind, case .member(let receiver, _) = callee.kind,
                case .name("console") = receiver.kind
            else { return false }
            return true
        default: return false
        }
    }
}
