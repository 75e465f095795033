import JSON

/// The request.
extension ConformityCheck {
    /// A part of the URL.
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// How many members of a query are looked at.
    private static var mostMembers: Int { 32 }

    // MARK: Parameters

    mutating func parametersHold() -> Bool {
        let query = query
        if !query.isEmpty, !allAreKnown(query) { return false }
        if plan.hasCookies {
            guard case .none = traffic.requestHeader(headerName(plan.cookie)) else { return false }
        }
        for field in plan.parameters {
            switch field.location {
            case .path:
                // One that the path does not have is not missed.
                if field.number < 0 { continue }
                let range = pathValues[field.number]
                guard holds(field, url[range.start..<range.end], plusIsSpace: false) else { return false }
            case .header:
                let lookup = traffic.requestHeader(headerName(field.name))
                if case .none = lookup {
                    guard isDispensable(field) else { return false }
                    continue
                }
                guard isCovered(field), !rules.parameters || field.schema < 0 || admits(lookup, field) else {
                    return false
                }
            case .query:
                var value: Bytes?
                var count = 0
                forEachMember(of: query) { name, text in
                    guard equal(field.name, name) else { return }
                    value = text
                    count += 1
                }
                guard let value else {
                    guard isDispensable(field) else { return false }
                    continue
                }
                guard count == 1, !value.isEmpty, holds(field, value, plusIsSpace: true) else { return false }
            case .querystring, .cookie:
                guard isDispensable(field) else { return false }
            }
        }
        return true
    }

    /// Whether a parameter may be missing.
    private func isDispensable(_ field: OperationPlan.Field) -> Bool { !field.isRequired || !rules.parameters }

    /// Notes that a parameter was sent; false when that is to be told, or nothing can be said of its values.
    private mutating func isCovered(_ field: OperationPlan.Field) -> Bool {
        guard field.reading == .scalar, !field.isDeprecated || !rules.deprecation else { return false }
        cover(field.item)
        return true
    }

    private mutating func holds(_ field: OperationPlan.Field, _ value: Bytes, plusIsSpace: Bool) -> Bool {
        guard isCovered(field) else { return false }
        guard rules.parameters, field.schema >= 0 else { return true }
        return admits(PercentDecoding.text(value, plusIsSpace: plusIsSpace), field.types, schema: field.schema)
    }

    /// What follows the URL's question mark, up to a fragment.
    private var query: Bytes {
        guard pathEnd < url.count, url[pathEnd] == UInt8(ascii: "?") else { return url[url.count...] }
        let rest = url[(pathEnd + 1)...]
        return rest.prefix { $0 != UInt8(ascii: "#") }
    }

    /// Takes the members of a query apart (URL Standard, section 5.1).
    private func forEachMember(of query: Bytes, _ body: (_ name: Bytes, _ value: Bytes) -> Void) {
        var start = query.startIndex
        while start < query.endIndex {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.endIndex
            if start < end {
                let member = query[start..<end]
                let equals = member.firstIndex(of: UInt8(ascii: "=")) ?? end
                body(member[..<equals], member[equals...].dropFirst())
            }
            start = end + 1
        }
    }

    /// Whether every member of a query is a parameter of which something can be said.
    private func allAreKnown(_ query: Bytes) -> Bool {
        let isAnywhere = plan.parameters.contains {
            $0.location == .querystring || $0.location == .query && $0.reading == .nothing
        }
        if isAnywhere { return false }
        var count = 0
        var areKnown = true
        forEachMember(of: query) { name, _ in
            count += 1
            guard areKnown, count <= Self.mostMembers else { return areKnown = false }
            areKnown = plan.parameters.contains {
                $0.location == .query && $0.reading == .scalar && equal($0.name, name)
            }
        }
        return areKnown
    }

    // MARK: Body

    mutating func requestBodyHolds() -> Bool {
        guard let body = traffic.requestBody else { return !plan.hasBody }
        guard plan.hasBody else { return body.isEmpty }
        if body.isEmpty { return !plan.requiresBody }
        guard let declared = traffic.requestHeader(headerName(plan.contentType)).first,
            let (entry, kind) = choice(declared, among: plan.body)
        else { return false }
        cover(entry.item)
        guard rules.requestBody else { return true }
        guard case .none = traffic.requestHeader(headerName(plan.contentEncoding)) else { return false }
        if entry.hasItemSchema { return false }
        if entry.schema < 0 { return true }
        guard case .json = kind, let value = try? JSONParser().parse(body) else { return false }
        return plan.schemas[entry.schema].admits(value)
    }

    // MARK: Credentials

    func securityHolds() -> Bool {
        if !rules.security || plan.security.isEmpty || traffic.status == 401 || traffic.status == 403 { return true }
        return plan.security.contains { requirement in requirement.allSatisfy { isSent(plan.proofs[$0]) } }
    }

    private func isSent(_ proof: OperationPlan.Proof) -> Bool {
        switch proof.kind {
        case .header:
            if case .none = traffic.requestHeader(headerName(proof.name)) { return false }
            return true
        case .authorization:
            if case .none = traffic.requestHeader(headerName(plan.authorization)) { return false }
            return true
        case .scheme:
            guard var sent = traffic.requestHeader(headerName(plan.authorization)).first else { return false }
            let name = headerName(proof.name)
            return sent.withUTF8 { bytes in
                let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
                return name.matches(String(decoding: scheme, as: UTF8.self))
            }
        case .other: return false
        }
    }
}
