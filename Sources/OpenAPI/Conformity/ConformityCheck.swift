/// Recognizes an exchange that conforms to its operation, without making anything that the answer does not need.
///
/// It finds what ``ContractCheck`` finds, or answers "no" where it cannot tell: differences are told by that alone.
struct ConformityCheck {
    let traffic: any ContractTraffic
    let rules: ConformityRules
    let plan: OperationPlan
    /// The plan's texts.
    let texts: UnsafeBufferPointer<UInt8>
    let url: UnsafeBufferPointer<UInt8>
    /// Where the URL's path ends.
    let pathEnd: Int
    let pathValues: PathSearch.Values
    /// What is covered, as indices of ``Contract/parts``.
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

    /// Whether the exchange certainly conforms.
    mutating func holds() -> Bool {
        if plan.isOpaque || plan.isDeprecated && rules.deprecation { return false }
        covered.append(plan.item)
        return parametersHold() && requestBodyHolds() && securityHolds() && responseHolds()
    }

    /// Notes that something is covered.
    mutating func cover(_ item: Int) { covered.append(item) }

    // MARK: Texts

    func headerName(_ text: OperationPlan.Text) -> HeaderName {
        HeaderName(UnsafeBufferPointer(rebasing: texts[text.start..<text.start + text.count]))
    }

    func equal(_ text: OperationPlan.Text, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard text.count == bytes.count else { return false }
        for offset in 0..<text.count where texts[text.start + offset] != bytes[bytes.startIndex + offset] {
            return false
        }
        return true
    }

    /// Whether one of the values that a text may stand for certainly follows a schema.
    func admits(_ text: String, _ types: ValueShape.Types, schema: Int) -> Bool {
        let schema = plan.schemas[schema]
        return types.containsValue(of: text) { schema.admits($0) }
    }

    /// Whether the value of a header certainly follows its schema.
    func admits(_ lookup: HeaderLookup, _ field: OperationPlan.Field) -> Bool {
        // Several fields are one value, joined.
        guard case .one(let text) = lookup, field.reading == .scalar else { return false }
        return admits(text, field.types, schema: field.schema)
    }

    // MARK: Media types

    /// The entry of a body's content that certainly matches a media type best, and the type.
    func choice(_ declared: String, among range: Range<Int>) -> (entry: OperationPlan.Media, kind: MediaEssence.Kind)? {
        var declared = declared
        return declared.withUTF8 { bytes in
            guard let essence = MediaEssence(bytes) else { return nil }
            var best: (index: Int, rank: Int)?
            for index in range {
                let entry = plan.media[index]
                // Parameters count, but are read nowhere else.
                if entry.hasParameters { return nil }
                guard let rank = essence.rank(of: entry, texts) else { continue }
                if rank > best?.rank ?? -1 { best = (index, rank) }
            }
            return best.map { (plan.media[$0.index], essence.kind) }
        }
    }
}
