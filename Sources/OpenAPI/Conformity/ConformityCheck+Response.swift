import JSON

/// The response.
extension ConformityCheck {
    mutating func responseHolds() -> Bool {
        let status = traffic.status
        guard let answer = answer(for: status) else { return false }
        // A failure is told unless the description says that it may be.
        if status >= 500, answer.status == .fallback { return false }
        cover(answer.item)
        for index in answer.headers {
            let field = plan.headers[index]
            let lookup = traffic.responseHeader(headerName(field.name))
            if case .none = lookup {
                if field.isRequired { return false }
                continue
            }
            guard !rules.responseHeaders || field.schema < 0 || admits(lookup, field) else { return false }
        }
        // None of these has a body, whatever its headers say (RFC 9110, section 6.4.1).
        if status == 204 || status == 304 || status < 200 || traffic.method == "HEAD" { return true }
        return bodyHolds(answer)
    }

    /// The answer for a status: its own, then that of its class, then the default.
    private func answer(for status: Int) -> OperationPlan.Answer? {
        var best: (index: Int, rank: Int)?
        for index in plan.answers.indices {
            let rank: Int
            switch plan.answers[index].status {
            case .exact(status): rank = 3
            case .range(status / 100): rank = 2
            case .fallback: rank = 1
            default: continue
            }
            if rank > best?.rank ?? 0 { best = (index, rank) }
        }
        return best.map { plan.answers[$0.index] }
    }

    private mutating func bodyHolds(_ answer: OperationPlan.Answer) -> Bool {
        let hasBody = !traffic.responseBody.isEmpty || traffic.hasItems
        if answer.content.isEmpty { return !hasBody }
        guard hasBody, let declared = traffic.responseHeader(headerName(plan.contentType)).first,
            let (entry, kind) = choice(declared, among: answer.content)
        else { return false }
        cover(entry.item)
        guard rules.responseBody else { return true }
        if entry.hasItemSchema { return false }
        if entry.schema < 0 { return true }
        switch kind {
        case .json:
            guard let value = try? traffic.json() else { return false }
            return plan.schemas[entry.schema].admits(value)
        case .plainText:
            let text = String(decoding: traffic.responseBody, as: UTF8.self)
            return entry.isScalar && admits(text, entry.types, schema: entry.schema)
        case .other: return true
        }
    }
}
