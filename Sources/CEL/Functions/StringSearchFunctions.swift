/// Methods that look for a text in another: `contains`, `startsWith`, `endsWith`, `matches`, `indexOf`, `lastIndexOf`.
enum StringSearchFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("contains") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(text)
            try state.scan(part)
            return .bool(TextSearch(part).isIn(text))
        }
        functions.method("startsWith") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(part)
            return .bool(text.utf8.starts(with: part.utf8))
        }
        functions.method("endsWith") { text, part, state throws(CELFailure) in
            guard case .string(let text) = text, case .string(let part) = part else { throw .noOverload }
            try state.scan(part)
            return .bool(text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8))
        }
        functions.function("matches") { text, pattern, state throws(CELFailure) in
            try matches(text, pattern, &state)
        }
        functions.method("matches") { text, pattern, state throws(CELFailure) in try matches(text, pattern, &state) }
        functions.method("indexOf", counts: 1...2) { values, state throws(CELFailure) in
            try indexOf(values, &state)
        }
        functions.method("lastIndexOf", counts: 1...2) { values, state throws(CELFailure) in
            try lastIndexOf(values, &state)
        }
    }

    private static func matches(
        _ text: CELValue, _ pattern: CELValue, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        guard case .string(let text) = text, case .string(let pattern) = pattern else { throw .noOverload }
        return .bool(try state.meter.matches(try state.pattern(pattern), text))
    }

    private static func indexOf(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let part) = values[1] else { throw .noOverload }
        try state.scan(text)
        let scalars = ScalarIndex(text)
        let start = values.count > 2 ? try scalars.checked(values[2]) : 0
        if part.isEmpty { return .int(Int64(start)) }
        let bytes = Array(text.utf8)
        guard let position = TextSearch(part).firstOffset(in: bytes, from: scalars.byteOffset(start)) else {
            return .int(-1)
        }
        return .int(Int64(scalars.scalarOffset(position)))
    }

    /// The last index at which the part begins, at most the given one.
    private static func lastIndexOf(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let part) = values[1] else { throw .noOverload }
        let bytes = Array(text.utf8)
        let wanted = Array(part.utf8)
        try state.meter.step((bytes.count &* max(1, wanted.count >> 4)) >> 2)
        let scalars = ScalarIndex(text)
        let limit = values.count > 2 ? try scalars.checked(values[2]) : scalars.count
        if wanted.isEmpty { return .int(Int64(limit)) }
        var start = min(scalars.byteOffset(limit), bytes.count - wanted.count)
        while start >= 0 {
            if bytes[start] == wanted[0], bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
                return .int(Int64(scalars.scalarOffset(start)))
            }
            start -= 1
        }
        return .int(-1)
    }
}
