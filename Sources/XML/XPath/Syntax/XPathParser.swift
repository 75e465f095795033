/// Parses an XPath expression (XPath 1.0 section 3) so far as to know that it is right, and what it looks for.
///
/// libxml2 evaluates expressions; that they can be checked without it makes mistakes known before it is loaded, with a
/// better place and message.
struct XPathParser {
    /// How deep parentheses, predicates and arguments may be nested.
    static let maximumDepth = 100
    /// How many tokens there may be: libxml2 evaluates a chain of operators or steps by recursion.
    static let maximumTokens = 4000

    private let scalars: [Unicode.Scalar]
    private let tokens: [XPathToken]
    private var position = 0
    private var depth = 0
    private var predicateDepth = 0
    /// The prefixes of names, in order.
    private(set) var prefixes: [XPathExpression.Prefix] = []
    /// The location paths outside of predicates, an inner one before the one that it is a part of.
    private(set) var paths: [XPathPath] = []
    /// The type of the whole.
    private(set) var type = XPathType.nodes

    /// Parses an expression.
    ///
    /// - Throws: ``XMLError`` with its place for the first mistake.
    init(_ scalars: [Unicode.Scalar]) throws(XMLError) {
        self.scalars = scalars
        tokens = try XPathLexer.tokens(scalars)
        guard tokens.count <= Self.maximumTokens else {
            throw XMLError(
                kind: .xpath, message: "the expression has more than \(Self.maximumTokens) names, numbers and operators"
            )
        }
        type = try expression(1)
        if let token { throw error("unexpected \(found)", at: token) }
    }

    // MARK: Tokens

    private var token: XPathToken? { position < tokens.count ? tokens[position] : nil }

    /// The end of the token before the current one.
    private var lastEnd: Int { position > 0 && position <= tokens.count ? tokens[position - 1].end : 0 }

    private func text(_ start: Int, _ end: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<end])
        return String(text)
    }

    /// The current token in words that continue "found".
    private var found: String {
        guard let token else { return "the end of the XPath" }
        return "\"\(text(token.start, token.end))\""
    }

    private func error(_ message: String, at token: XPathToken?) -> XMLError {
        let start = token?.start ?? scalars.count
        return XMLError(
            kind: .xpath, message: message, column: start + 1, length: max(1, (token?.end ?? start) - start))
    }

    private func error(_ message: String, from start: Int, to end: Int) -> XMLError {
        XMLError(kind: .xpath, message: message, column: start + 1, length: max(1, end - start))
    }

    private mutating func expect(_ kind: XPathToken.Kind, _ expected: String) throws(XMLError) {
        guard token?.kind == kind else { throw error("expected \(expected), found \(found)", at: token) }
        position += 1
    }

    // MARK: Operators

    /// An expression of operators that bind at least so strongly.
    private mutating func expression(_ minimum: Int) throws(XMLError) -> XPathType {
        var type = try unary()
        while case .operator(let `operator`)? = token?.kind, `operator`.precedence >= minimum {
            position += 1
            _ = try expression(`operator`.precedence + 1)
            type = `operator`.result
        }
        return type
    }

    /// An expression inside of another one.
    private mutating func nested() throws(XMLError) -> XPathType {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw error("the expression is nested deeper than \(Self.maximumDepth) levels", at: token)
        }
        return try expression(1)
    }

    private mutating func unary() throws(XMLError) -> XPathType {
        var isNegative = false
        while case .operator(.subtract)? = token?.kind {
            isNegative = true
            position += 1
        }
        let type = try union()
        return isNegative ? .number : type
    }

    private mutating func union() throws(XMLError) -> XPathType {
        var start = token?.start ?? scalars.count
        var type = try path()
        while case .operator(.union)? = token?.kind {
            guard type == .nodes else {
                throw error("\"|\" joins nodes, and this is \(type.phrase)", from: start, to: lastEnd)
            }
            position += 1
            start = token?.start ?? scalars.count
            type = try path()
            guard type == .nodes else {
                throw error("\"|\" joins nodes, and this is \(type.phrase)", from: start, to: lastEnd)
            }
        }
        return type
    }

    // MARK: Paths

    private mutating func path() throws(XMLError) -> XPathType {
        guard let first = token else { throw error("expected an expression, found \(found)", at: nil) }
        var segments: [XPathPath.Segment] = []
        var type = XPathType.nodes
        switch first.kind {
        case .slash:
            position += 1
            segments.append(XPathPath.Segment(kind: .root, start: first.start, end: first.end))
            if token?.beginsStep == true { try steps(isBelow: false, into: &segments) }
        case .doubleSlash:
            position += 1
            try steps(isBelow: true, into: &segments)
        case _ where first.beginsStep:
            try steps(isBelow: false, into: &segments)
        default:
            type = try primary(first)
            let end = lastEnd
            segments.append(XPathPath.Segment(kind: .primary, start: first.start, end: end))
            let follows = token?.kind
            if follows == .leftBracket || follows == .slash || follows == .doubleSlash {
                guard type == .nodes else {
                    let what = follows == .leftBracket ? "\"[\"" : found
                    throw error("\(what) follows nodes, and this is \(type.phrase)", from: first.start, to: end)
                }
            }
            try predicates(into: &segments)
            if token?.kind == .slash || token?.kind == .doubleSlash {
                let isBelow = token?.kind == .doubleSlash
                position += 1
                try steps(isBelow: isBelow, into: &segments)
            } else if segments.count == 1 {
                // Only what is inside of it looks for nodes.
                return type
            }
        }
        if predicateDepth == 0 {
            paths.append(XPathPath(start: first.start, end: lastEnd, segments: segments))
        }
        return type
    }

    private mutating func steps(isBelow: Bool, into segments: inout [XPathPath.Segment]) throws(XMLError) {
        var isBelow = isBelow
        while true {
            try step(isBelow: isBelow, into: &segments)
            switch token?.kind {
            case .slash: isBelow = false
            case .doubleSlash: isBelow = true
            default: return
            }
            position += 1
        }
    }

    private mutating func step(isBelow: Bool, into segments: inout [XPathPath.Segment]) throws(XMLError) {
        guard let first = token, first.beginsStep else {
            throw error("expected a name, \"@\" or another step, found \(found)", at: token)
        }
        var axis = "child"
        switch first.kind {
        case .dot, .doubleDot:
            position += 1
            let step = XPathPath.Step(
                axis: first.kind == .dot ? "self" : "parent", test: .nodeType("node"), testStart: first.start,
                isBelow: isBelow)
            segments.append(XPathPath.Segment(kind: .step(step), start: first.start, end: first.end))
            return
        case .at:
            axis = "attribute"
            position += 1
        case .axis(let name):
            axis = name
            position += 1
            try expect(.doubleColon, "\"::\"")
        default: break
        }
        let testStart = token?.start ?? scalars.count
        let test = try nodeTest()
        segments.append(
            XPathPath.Segment(
                kind: .step(XPathPath.Step(axis: axis, test: test, testStart: testStart, isBelow: isBelow)),
                start: first.start, end: lastEnd))
        try predicates(into: &segments)
    }

    private mutating func nodeTest() throws(XMLError) -> XPathPath.Step.Test {
        switch token?.kind {
        case .nameTest(let prefix, let localName)?:
            if let prefix, let start = token?.start {
                prefixes.append(
                    XPathExpression.Prefix(name: prefix, offset: start, length: prefix.unicodeScalars.count))
            }
            position += 1
            return .name(prefix: prefix, localName: localName)
        case .nodeType(let name)?:
            position += 1
            try expect(.leftParenthesis, "\"(\"")
            if name == "processing-instruction", token?.kind == .literal { position += 1 }
            try expect(.rightParenthesis, "\")\"")
            return .nodeType(name)
        default: throw error("expected a name, \"*\" or a kind of node, found \(found)", at: token)
        }
    }

    private mutating func predicates(into segments: inout [XPathPath.Segment]) throws(XMLError) {
        while let bracket = token, bracket.kind == .leftBracket {
            position += 1
            let isPosition =
                token?.kind == .number && position + 1 < tokens.count
                && tokens[position + 1].kind == .rightBracket
            predicateDepth += 1
            _ = try nested()
            predicateDepth -= 1
            try expect(.rightBracket, "an operator or \"]\"")
            segments.append(
                XPathPath.Segment(kind: .predicate(isPosition: isPosition), start: bracket.start, end: lastEnd))
        }
    }

    // MARK: Other expressions

    private mutating func primary(_ first: XPathToken) throws(XMLError) -> XPathType {
        switch first.kind {
        case .literal:
            position += 1
            return .string
        case .number:
            position += 1
            return .number
        case .leftParenthesis:
            position += 1
            let type = try nested()
            try expect(.rightParenthesis, "an operator or \")\"")
            return type
        case .function(let name):
            position += 1
            return try call(name, first)
        default: throw error("expected an expression, found \(found)", at: first)
        }
    }

    private mutating func call(_ name: String, _ token: XPathToken) throws(XMLError) -> XPathType {
        guard let function = XPathFunction.all[name] else {
            let substitute = XPathFunction.substitutes[name].map { "; use \($0)" } ?? ""
            throw XMLError(
                kind: .xpath, message: "XPath 1.0 has no function \"\(name)\"\(substitute)", column: token.start + 1,
                length: token.end - token.start, known: substitute.isEmpty ? XPathFunction.names : [])
        }
        if predicateDepth == 0, name == "last" || name == "position" {
            throw error("\(name)() can only be used in a predicate", at: token)
        }
        try expect(.leftParenthesis, "\"(\"")
        var count = 0
        if self.token?.kind != .rightParenthesis {
            while true {
                let start = self.token?.start ?? scalars.count
                let type = try nested()
                count += 1
                if count == 1, function.takesNodes, type != .nodes {
                    throw error("\(name)() takes nodes, got \(type.phrase)", from: start, to: lastEnd)
                }
                guard self.token?.kind == .comma else { break }
                position += 1
            }
        }
        try expect(.rightParenthesis, count == 0 ? "an argument or \")\"" : "\",\" or \")\"")
        if count < function.minimum || function.maximum.map({ count > $0 }) == true {
            throw error("\(name)() takes \(function.arity), got \(count)", at: token)
        }
        return function.result
    }
}
