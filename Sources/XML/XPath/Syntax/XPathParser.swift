import Basics

/// The parser of XPath expressions (XPath 1.0, section 3).
struct XPathParser {
    /// A subexpression and the type of its value.
    private typealias Part = (type: XPathType, term: XPathTerm)

    /// The maximum nesting depth of parentheses, predicates and arguments.
    static let maximumDepth = 100
    /// The maximum number of tokens.
    static let maximumTokens = 4000

    private let scalars: [Unicode.Scalar]
    private let tokens: [XPathToken]
    private var position = 0
    private var depth = 0
    private var predicateDepth = 0
    /// The namespace prefixes in order.
    private(set) var prefixes: [XPathExpression.Prefix] = []
    /// The location paths outside of predicates; nested paths precede the paths that contain them.
    private(set) var paths: [XPathPath] = []
    /// Whether the innermost predicate calls position() or last() directly.
    private var usesPosition = false
    /// The term of the whole expression.
    private(set) var term = XPathTerm.path(.root, [])

    /// Creates a parser and parses an expression.
    ///
    /// - Throws: ``XMLError`` with the location of the first error.
    init(_ scalars: [Unicode.Scalar]) throws(XMLError) {
        self.scalars = scalars
        tokens = try XPathLexer.tokens(scalars)
        guard tokens.count <= Self.maximumTokens else {
            throw XMLError(
                kind: .xpath,
                message: "the expression exceeds the maximum of \(Self.maximumTokens) names, numbers and operators"
            )
        }
        term = try expression(1).term
        if let token { throw error("unexpected \(found)", at: token) }
    }

    // MARK: Tokens

    private var token: XPathToken? { position < tokens.count ? tokens[position] : nil }

    /// The end of the previous token.
    private var lastEnd: Int { position > 0 && position <= tokens.count ? tokens[position - 1].end : 0 }

    private func text(_ start: Int, _ end: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<end])
        return String(text)
    }

    /// The current token as shown after "found" in messages.
    private var found: MessageText {
        guard let token else { return "the end of the XPath" }
        return "\"\(text(token.start, token.end))\""
    }

    private func error(_ message: MessageText, at token: XPathToken?) -> XMLError {
        let start = token?.start ?? scalars.count
        return XMLError(
            kind: .xpath, message: message, column: start + 1, length: max(1, (token?.end ?? start) - start))
    }

    private func error(_ message: MessageText, from start: Int, to end: Int) -> XMLError {
        XMLError(kind: .xpath, message: message, column: start + 1, length: max(1, end - start))
    }

    private mutating func expect(_ kind: XPathToken.Kind, _ expected: String) throws(XMLError) {
        guard token?.kind == kind else { throw error("expected \(expected), found \(found)", at: token) }
        position += 1
    }

    // MARK: Operators

    /// Parses an expression of operators with at least the given precedence.
    private mutating func expression(_ minimum: Int) throws(XMLError) -> Part {
        var (type, first) = try unary()
        var rest: [(XPathOperator, XPathTerm)] = []
        while case .operator(let `operator`)? = token?.kind, `operator`.precedence >= minimum {
            position += 1
            rest.append((`operator`, try expression(`operator`.precedence + 1).term))
            type = `operator`.result
        }
        if !rest.isEmpty { first = .chain(first, rest) }
        return (type, first)
    }

    /// Parses a nested expression.
    private mutating func nested() throws(XMLError) -> Part {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw error("the expression exceeds the maximum depth of \(Self.maximumDepth) levels", at: token)
        }
        return try expression(1)
    }

    private mutating func unary() throws(XMLError) -> Part {
        var signs = 0
        while case .operator(.subtract)? = token?.kind {
            signs += 1
            position += 1
        }
        let part = try union()
        if signs == 0 { return part }
        let negated = XPathTerm.negation(part.term)
        return (.number, signs.isMultiple(of: 2) ? .negation(negated) : negated)
    }

    private mutating func union() throws(XMLError) -> Part {
        var start = token?.start ?? scalars.count
        var (type, first) = try path()
        var terms = [first]
        while case .operator(.union)? = token?.kind {
            guard type == .nodes else {
                throw error("the operands of \"|\" must be nodes, got \(type.phrase)", from: start, to: lastEnd)
            }
            position += 1
            start = token?.start ?? scalars.count
            let next = try path()
            type = next.type
            terms.append(next.term)
            guard type == .nodes else {
                throw error("the operands of \"|\" must be nodes, got \(type.phrase)", from: start, to: lastEnd)
            }
        }
        if terms.count > 1 { first = .union(terms) }
        return (type, first)
    }

    // MARK: Paths

    private mutating func path() throws(XMLError) -> Part {
        guard let first = token else { throw error("expected an expression, found \(found)", at: nil) }
        var segments: [XPathPath.Segment] = []
        var route: [XPathStep] = []
        var part: Part
        switch first.kind {
        case .slash:
            position += 1
            segments.append(XPathPath.Segment(kind: .root, start: first.start, end: first.end))
            if token?.beginsStep == true { try steps(isBelow: false, into: &segments, &route) }
            part = (.nodes, .path(.root, route))
        case .doubleSlash:
            position += 1
            try steps(isBelow: true, into: &segments, &route)
            part = (.nodes, .path(.root, route))
        case _ where first.beginsStep:
            try steps(isBelow: false, into: &segments, &route)
            part = (.nodes, .path(.context, route))
        default:
            part = try primary(first)
            let end = lastEnd
            segments.append(XPathPath.Segment(kind: .primary, start: first.start, end: end))
            let follows = token?.kind
            if follows == .leftBracket || follows == .slash || follows == .doubleSlash {
                guard part.type == .nodes else {
                    let what: MessageText = follows == .leftBracket ? "\"[\"" : found
                    throw error("only nodes can precede \(what), got \(part.type.phrase)", from: first.start, to: end)
                }
            }
            let predicates = try predicates(into: &segments)
            if !predicates.isEmpty { part.term = .filter(part.term, predicates) }
            if token?.kind == .slash || token?.kind == .doubleSlash {
                let isBelow = token?.kind == .doubleSlash
                position += 1
                try steps(isBelow: isBelow, into: &segments, &route)
                part.term = .path(.nodes(part.term), route)
            } else if segments.count == 1 {
                // Only the nested paths select nodes.
                return part
            }
        }
        if predicateDepth == 0 {
            paths.append(XPathPath(start: first.start, end: lastEnd, segments: segments))
        }
        return part
    }

    private mutating func steps(
        isBelow: Bool, into segments: inout [XPathPath.Segment], _ route: inout [XPathStep]
    ) throws(XMLError) {
        var isBelow = isBelow
        while true {
            let step = try step(isBelow: isBelow, into: &segments)
            if isBelow, step.axis == .child, !step.isPositional {
                // A single step selects the same nodes.
                route.append(XPathStep(axis: .descendant, test: step.test, predicates: step.predicates))
            } else {
                if isBelow { route.append(.below) }
                route.append(step)
            }
            switch token?.kind {
            case .slash: isBelow = false
            case .doubleSlash: isBelow = true
            default: return
            }
            position += 1
        }
    }

    private mutating func step(
        isBelow: Bool, into segments: inout [XPathPath.Segment]
    ) throws(XMLError) -> XPathStep {
        guard let first = token, first.beginsStep else {
            throw error("expected a name, \"@\" or another step, found \(found)", at: token)
        }
        var axis = XPathAxis.child
        switch first.kind {
        case .dot, .doubleDot:
            position += 1
            axis = first.kind == .dot ? .self : .parent
            let step = XPathPath.Step(
                axis: axis.rawValue, test: .nodeType("node"), testStart: first.start, isBelow: isBelow)
            segments.append(XPathPath.Segment(kind: .step(step), start: first.start, end: first.end))
            return XPathStep(axis: axis, test: .any)
        case .at:
            axis = .attribute
            position += 1
        case .axis(let name):
            axis = XPathAxis(rawValue: name) ?? .child
            position += 1
            try expect(.doubleColon, "\"::\"")
        default: break
        }
        let testStart = token?.start ?? scalars.count
        let (written, test) = try nodeTest()
        segments.append(
            XPathPath.Segment(
                kind: .step(
                    XPathPath.Step(axis: axis.rawValue, test: written, testStart: testStart, isBelow: isBelow)),
                start: first.start, end: lastEnd))
        return XPathStep(axis: axis, test: test, predicates: try predicates(into: &segments))
    }

    private mutating func nodeTest() throws(XMLError) -> (XPathPath.Step.Test, XPathNodeTest) {
        switch token?.kind {
        case .nameTest(let prefix, let localName)?:
            if let prefix, let start = token?.start {
                prefixes.append(
                    XPathExpression.Prefix(name: prefix, offset: start, length: prefix.unicodeScalars.count))
            }
            position += 1
            return (.name(prefix: prefix, localName: localName), .name(prefix: prefix, localName: localName))
        case .nodeType(let name)?:
            position += 1
            try expect(.leftParenthesis, "\"(\"")
            var target: String?
            if name == "processing-instruction", let token, token.kind == .literal {
                target = text(token.start + 1, token.end - 1)
                position += 1
            }
            try expect(.rightParenthesis, "\")\"")
            let test: XPathNodeTest =
                switch name {
                case "text": .text
                case "comment": .comment
                case "processing-instruction": .instruction(target)
                default: .any
                }
            return (.nodeType(name), test)
        default: throw error("expected a name, \"*\" or a node type, found \(found)", at: token)
        }
    }

    private mutating func predicates(
        into segments: inout [XPathPath.Segment]
    ) throws(XMLError) -> [XPathPredicate] {
        var predicates: [XPathPredicate] = []
        while let bracket = token, bracket.kind == .leftBracket {
            position += 1
            let isPosition =
                token?.kind == .number && position + 1 < tokens.count
                && tokens[position + 1].kind == .rightBracket
            predicateDepth += 1
            let usedPosition = usesPosition
            usesPosition = false
            let part = try nested()
            predicates.append(XPathPredicate(term: part.term, isPositional: usesPosition || part.type == .number))
            usesPosition = usedPosition
            predicateDepth -= 1
            try expect(.rightBracket, "an operator or \"]\"")
            segments.append(
                XPathPath.Segment(kind: .predicate(isPosition: isPosition), start: bracket.start, end: lastEnd))
        }
        return predicates
    }

    // MARK: Other expressions

    private mutating func primary(_ first: XPathToken) throws(XMLError) -> Part {
        switch first.kind {
        case .literal:
            position += 1
            return (.string, .literal(Array(text(first.start + 1, first.end - 1).utf8)))
        case .number:
            position += 1
            return (.number, .number(XPathNumber.parse(text(first.start, first.end).utf8)))
        case .leftParenthesis:
            position += 1
            let part = try nested()
            try expect(.rightParenthesis, "an operator or \")\"")
            return part
        case .function(let name):
            position += 1
            return try call(name, first)
        default: throw error("expected an expression, found \(found)", at: first)
        }
    }

    private mutating func call(_ name: String, _ token: XPathToken) throws(XMLError) -> Part {
        guard let known = XPathFunction.Name(rawValue: name) else {
            let substitute = XPathFunction.substitutes[name].map { "; use \($0)" } ?? ""
            throw XMLError(
                kind: .xpath, message: "XPath 1.0 has no function \"\(name)\"\(substitute)", column: token.start + 1,
                length: token.end - token.start, known: substitute.isEmpty ? XPathFunction.names : [])
        }
        let function = XPathFunction.of(known)
        if known == .last || known == .position {
            guard predicateDepth > 0 else { throw error("\(name)() can only be used in a predicate", at: token) }
            usesPosition = true
        }
        try expect(.leftParenthesis, "\"(\"")
        var arguments: [XPathTerm] = []
        if self.token?.kind != .rightParenthesis {
            while true {
                let start = self.token?.start ?? scalars.count
                let part = try nested()
                arguments.append(part.term)
                if arguments.count == 1, function.takesNodes, part.type != .nodes {
                    throw error("\(name)() requires nodes, got \(part.type.phrase)", from: start, to: lastEnd)
                }
                guard self.token?.kind == .comma else { break }
                position += 1
            }
        }
        let count = arguments.count
        try expect(.rightParenthesis, count == 0 ? "an argument or \")\"" : "\",\" or \")\"")
        if count < function.minimum || function.maximum.map({ count > $0 }) == true {
            throw error("\(name)() takes \(function.arity), got \(count)", at: token)
        }
        return (function.result, .call(known, arguments))
    }
}
