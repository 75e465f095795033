/// The values of sub-expressions, kept for an explanation.
struct Trace {
    private enum Record {
        case value(Int, CELValue)
        case element(CELExplanation.Element)
    }

    private var records: [Record] = []

    init() {}

    /// The number of records; `cut` goes back to it.
    var mark: Int { records.count }

    /// Keeps the value of a node, if it is one to show.
    mutating func record(_ id: Int, _ node: Node, _ value: CELValue, isRoot: Bool) {
        guard !isRoot else { return }
        switch node {
        case .constant, .list, .map, .and, .or, .conditional, .not, .negate, .failure, .bind: return
        case .variable(_, .some): if case .type = value { return }
        default: break
        }
        records.append(.value(id, value))
    }

    /// Keeps the element that decided a macro.
    mutating func record(_ element: CELExplanation.Element) {
        records.append(.element(element))
    }

    /// Forgets what has been recorded since a mark.
    mutating func cut(_ mark: Int) {
        records.removeLast(records.count - mark)
    }

    /// The explanation of a result.
    func explanation(
        _ result: Result<CELValue, CELEvaluationError>, _ program: Program, source: String
    ) -> CELExplanation {
        let scalars = Array(source.unicodeScalars)
        var parts: [CELExplanation.Part] = []
        var elements: [CELExplanation.Element] = []
        var seen: Set<String> = []
        for record in records {
            switch record {
            case .element(let element): elements.append(element)
            case .value(let id, let value):
                let span = program.spans[id]
                let start = min(Int(span.offset), scalars.count)
                let end = min(start + Int(span.length), scalars.count)
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars[start..<end])
                guard seen.insert(text).inserted else { continue }
                parts.append(
                    CELExplanation.Part(
                        source: text, offset: Int(span.offset), length: Int(span.length), value: value))
            }
        }
        parts.sort { ($0.offset, $1.length) < ($1.offset, $0.length) }
        return CELExplanation(result: result, parts: parts, elements: elements)
    }
}
