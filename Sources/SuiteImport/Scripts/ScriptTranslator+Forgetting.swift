/// Variables whose values are unknown after a statement that is not translated.
extension ScriptTranslator {
    /// The operators that change a variable.
    private static let operators: Set = ["=", "+=", "-=", "*=", "/=", "%=", "**=", "++", "--", "||=", "&&=", "??="]
    /// The methods that change a list.
    private static let methods: Set = ["push", "unshift", "pop", "shift", "splice", "sort", "reverse", "fill"]
    /// The maximum number of functions to follow for their changes.
    private static let maximumFunctions = 8

    /// Makes the variables unknown that a part of the script may change, also in the functions that it names.
    ///
    /// - Parameter construct: The reason why a variable is unknown.
    mutating func forget(changedIn range: Range<Int>, _ construct: String) {
        var names: Set<String> = []
        var functions: Set<String> = []
        var ranges = [range]
        while let next = ranges.popLast() {
            steps += next.count / 64
            for name in changes(in: next, to: &names)
            where functions.count < Self.maximumFunctions && functions.insert(name).inserted {
                if case .function(let function)? = lookUp(name) { ranges += function.body.map(\.range) }
            }
        }
        for name in names where lookUp(name) != nil { assign(name, .opaque(construct)) }
    }

    /// Adds the variables that a part of the script may change, and returns the names of functions in it.
    private func changes(in range: Range<Int>, to names: inout Set<String>) -> [String] {
        guard let tokens = try? JSLexer.tokens(of: text, in: range) else { return [] }
        var functions: [String] = []
        // The variable at the start of a chain such as `a.b[c]`, and the names in brackets such as `[a, b]`.
        var root: String?
        var list: [String] = []
        var open: [(root: String?, list: [String])] = []
        for (index, token) in tokens.enumerated() {
            let previous = index > 0 ? tokens[index - 1].kind : .end
            switch token.kind {
            case .name(let name) where previous == .punctuator(".") || previous == .punctuator("?."):
                if let root, Self.methods.contains(name) || name.hasPrefix("set") { names.insert(root) }
            case .name(let name):
                if case .function? = lookUp(name) { functions.append(name) }
                root = ["let", "const", "var"].contains { previous == .name($0) } ? nil : name
                if !open.isEmpty { list.append(name) }
                if previous == .punctuator("++") || previous == .punctuator("--") { names.insert(name) }
            case .punctuator("["):
                // A bracket after a value is an index.
                switch previous {
                case .name, .punctuator("]"), .punctuator(")"): open.append((root, list))
                default: open.append((nil, list))
                }
                list = []
            case .punctuator("]"):
                guard let last = open.popLast() else { break }
                root = last.root
                if last.root == nil, index + 1 < tokens.count, tokens[index + 1].kind == .punctuator("=") {
                    names.formUnion(list)
                }
                list = last.list
            case .punctuator(let text) where Self.operators.contains(text): if let root { names.insert(root) }
            default: break
            }
        }
        return functions
    }

    /// Makes all values unknown that several variables may share, after a change of one of them that is not translated.
    mutating func forgetShared(_ construct: String) {
        loop?.isOrdered = true
        for index in scopes.indices {
            for (name, variable) in scopes[index].variables {
                switch variable.value {
                case .object, .array, .body, .part(.content), .computed, .selected, .date:
                    scopes[index].set(name, to: .opaque(construct))
                default: break
                }
            }
        }
    }
}
