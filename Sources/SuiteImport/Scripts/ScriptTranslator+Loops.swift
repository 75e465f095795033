/// Loops over the elements of a list.
extension ScriptTranslator {
    /// The maximum number of repetitions of a loop over constants.
    static let maximumRepetitions = 100

    mutating func count(_ name: String, _ end: ScriptValue, _ body: [JSStatement], _ range: Range<Int>) {
        let values: [ScriptValue]
        switch end {
        case .number(let number):
            guard let count = Int(number), count <= Self.maximumRepetitions else { return issue("for", range) }
            values = (0..<max(0, count)).map { .number(String($0)) }
        case .length(.body(let path)): values = [.position(path)]
        default: return issue(end.opaqueReason ?? "for", range)
        }
        for value in values {
            scopes.append([name: value])
            _ = block(body)
            scopes.removeLast()
        }
    }

    /// Follows a closure for the elements of a list.
    mutating func repeated(
        over list: ScriptValue, isOverKeys: Bool = false, _ range: Range<Int>,
        _ body: (inout ScriptTranslator, ScriptValue, _ index: Int) -> Void
    ) {
        switch list {
        case .part(.content): body(&self, .body(BodyPath(steps: [.each])), 0)
        case .array(let elements) where elements.count <= Self.maximumRepetitions:
            for (index, element) in elements.enumerated() {
                body(&self, isOverKeys ? .number(String(index)) : element, index)
            }
        case .object(let members) where isOverKeys && members.count <= Self.maximumRepetitions:
            for (index, member) in members.enumerated() { body(&self, .literal(member.name), index) }
        case .body(let path) where !isOverKeys:
            body(&self, .body(path.appending(.each)), 0)
        default: issue(list.opaqueReason ?? (isOverKeys ? "for in" : "for"), range)
        }
    }
}
