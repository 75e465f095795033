import Basics
import JSON

/// A fast check for conforming exchanges that creates no values beyond its result.
///
/// The check reaches the same result as ``ContractCheck`` or returns `false` when it cannot decide. Only
/// ``ContractCheck`` reports differences.
struct ConformityCheck {
    let traffic: any ContractTraffic
    let rules: ConformityRules
    let plan: OperationPlan
    /// The bytes of the plan's strings.
    let texts: UnsafeBufferPointer<UInt8>
    let url: UnsafeBufferPointer<UInt8>
    /// The index at which the URL's path ends.
    let pathEnd: Int
    let pathValues: PathSearch.Values
    /// The covered parts, as indices into ``Contract/parts``.
    private(set) var covered: [Int] = []

    init(
        traffic: any ContractTraffic, rules: ConformityRules, plan: OperationPlan, texts: UnsafeBufferPointer<UInt8>,
        url: UnsafeBufferPointer<UInt8>, pathEnd: Int, pathValues: PathSearch.Values
    ) {
        self.traffic = traffic
        self.rules = rules
        self.plan = plan
        self.texts = texts
        self.url = url
        self.pathEnd = pathEnd
        self.pathValues = pathValues
        covered.reserveCapacity(8)
    }

    /// Returns a Boolean value that indicates whether the exchange is certain to conform.
    mutating func holds() -> Bool {
        if plan.isOpaque || plan.isDeprecated && rules.deprecation { return false }
        covered.append(plan.item)
        return parametersHold() && requestBodyHolds() && securityHolds() && responseHolds()
    }

    /// Records a part as covered.
    mutating func cover(_ item: Int) { covered.append(item) }

    // MARK: Strings

    /// Returns the header name that the plan stores as a string.
    func headerName(_ text: OperationPlan.Text) -> HeaderName {
        HeaderName(UnsafeBufferPointer(rebasing: texts[text.start..<text.start + text.count]))
    }

    /// Returns whether a string of the plan equals a part of the URL.
    func equal(_ text: OperationPlan.Text, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.count == bytes.count else { return false }
        for offset in 0..<text.count where texts[text.start + offset] != bytes[bytes.startIndex + offset] {
            return false
        }
        return true
    }

    /// Returns whether one of the possible values of a string is certain to be valid against a schema.
    func admits(_ text: String, _ types: ValueShape.Types, schema: Int) -> Bool {
        let schema = plan.schemas[schema]
        return types.containsValue(of: text) { schema.admits($0) }
    }

    /// Returns whether the value of a header is certain to be valid against its schema.
    func admits(_ lookup: HeaderLookup, _ field: OperationPlan.Field) -> Bool {
        // Several field lines form one value, joined by commas.
        guard case .one(let text) = lookup, field.reading == .scalar else { return false }
        return admits(text, field.types, schema: field.schema)
    }

    // MARK: Media types

    /// Returns the entry of a body's content that certainly matches a media type best, with the kind of the body.
    func choice(_ declared: String, among range: Range<Int>) -> (entry: OperationPlan.Media, kind: MediaEssence.Kind)? {
        var declared = declared
        return declared.withUTF8 { bytes in
            guard let essence = MediaEssence(bytes) else { return nil }
            var best: (index: Int, rank: Int)?
            for index in range {
                let entry = plan.media[index]
                // Parameters affect the match, but this check does not parse them.
                if entry.hasParameters { return nil }
                guard let rank = essence.rank(of: entry, texts) else { continue }
                if rank > best?.rank ?? -1 { best = (index, rank) }
            }
            return best.map { (plan.media[$0.index], essence.kind) }
        }
    }
}

/// The enabled checks among those that a conforming exchange passes through.
struct ConformityRules: Sendable {
    let parameters: Bool
    let requestBody: Bool
    let security: Bool
    let deprecation: Bool
    let responseHeaders: Bool
    let responseBody: Bool

    init(_ settings: ContractSettings) {
        parameters = settings.checks(.requestParameters)
        requestBody = settings.checks(.requestBody)
        security = settings.checks(.missingSecurity)
        deprecation = settings.checks(.deprecatedOperation)
        responseHeaders = settings.checks(.responseHeaders)
        responseBody = settings.checks(.responseBody)
    }
}

/// Checks of the request.
extension ConformityCheck {
    /// A part of the URL.
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// The maximum number of query members to inspect.
    private static var maximumMembers: Int { 32 }

    // MARK: Parameters

    /// Returns whether all parameters of the request are certain to be valid.
    mutating func parametersHold() -> Bool {
        let query = query
        if !query.isEmpty, !allAreKnown(query) { return false }
        if plan.hasCookies {
            guard case .none = traffic.requestHeader(headerName(plan.cookie)) else { return false }
        }
        for field in plan.parameters {
            switch field.location {
            case .path:
                // A parameter that does not appear in the path cannot be missing.
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

    /// Returns whether a parameter may be missing.
    private func isDispensable(_ field: OperationPlan.Field) -> Bool { !field.isRequired || !rules.parameters }

    /// Records that a parameter was sent. Returns `false` if this must be reported or the value cannot be judged.
    private mutating func isCovered(_ field: OperationPlan.Field) -> Bool {
        guard field.reading == .scalar, !field.isDeprecated || !rules.deprecation else { return false }
        cover(field.item)
        return true
    }

    private mutating func holds(_ field: OperationPlan.Field, _ value: Bytes, plusIsSpace: Bool) -> Bool {
        guard isCovered(field) else { return false }
        guard rules.parameters, field.schema >= 0 else { return true }
        return admits(PercentEncoding.decodedText(value, plusIsSpace: plusIsSpace), field.types, schema: field.schema)
    }

    /// The query of the URL, without the question mark and the fragment.
    private var query: Bytes {
        guard pathEnd < url.count, url[pathEnd] == UInt8(ascii: "?") else { return url[url.count...] }
        let rest = url[(pathEnd + 1)...]
        return rest.prefix { $0 != UInt8(ascii: "#") }
    }

    /// Calls a closure with each member of a query (URL Standard, section 5.1).
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

    /// Returns whether every member of a query is a parameter that this check can judge.
    private func allAreKnown(_ query: Bytes) -> Bool {
        let isAnywhere = plan.parameters.contains {
            $0.location == .querystring || $0.location == .query && $0.reading == .nothing
        }
        if isAnywhere { return false }
        var count = 0
        var areKnown = true
        forEachMember(of: query) { name, _ in
            count += 1
            guard areKnown, count <= Self.maximumMembers else { return areKnown = false }
            areKnown = plan.parameters.contains {
                $0.location == .query && $0.reading == .scalar && equal($0.name, name)
            }
        }
        return areKnown
    }

    // MARK: Body

    /// Returns whether the request's body is certain to be valid.
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

    /// Returns whether the request has the required credentials, or the server refused it.
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

/// Checks of the response.
extension ConformityCheck {
    /// Returns whether the response is certain to be valid.
    mutating func responseHolds() -> Bool {
        let status = traffic.status
        guard let answer = answer(for: status) else { return false }
        // A server error is reported unless the description documents it explicitly.
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
        // None of these responses has a body, regardless of its headers (RFC 9110, section 6.4.1).
        if status == 204 || status == 304 || status < 200 || traffic.method == "HEAD" { return true }
        return bodyHolds(answer)
    }

    /// Returns the documented response for a status: the exact status, then its class, then the default.
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
