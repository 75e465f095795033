package import JSON

/// The kinds of differences between random values.
///
/// Values that have all kinds at once rarely have many of one kind. If some kinds are turned off, the others occur in
/// combinations that are rare otherwise.
package struct SampleVariety: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Optional members and parameters are left out.
    package static let omissions = SampleVariety(rawValue: 1 << 0)
    /// Values are `null`.
    package static let nulls = SampleVariety(rawValue: 1 << 1)
    /// Arrays have another number of elements.
    package static let counts = SampleVariety(rawValue: 1 << 2)
    /// Strings are ones that programs often handle wrongly.
    package static let texts = SampleVariety(rawValue: 1 << 3)
    /// Numbers are ones that programs often handle wrongly.
    package static let numbers = SampleVariety(rawValue: 1 << 4)
    /// Optional parameters are sent.
    package static let parameters = SampleVariety(rawValue: 1 << 5)
    /// Values in paths are ones that programs often handle wrongly.
    package static let paths = SampleVariety(rawValue: 1 << 6)

    /// All kinds.
    package static let all = SampleVariety(rawValue: (1 << 7) - 1)

    /// Returns each kind with a probability of one half.
    package static func random(using random: inout some RandomNumberGenerator) -> SampleVariety {
        SampleVariety(rawValue: Int.random(in: 0...all.rawValue, using: &random))
    }
}

extension SchemaSampler {
    /// Returns a value with other parts: some optional members are missing, some values are `null`, and some arrays have
    /// another number of elements.
    ///
    /// - Parameters:
    ///   - value: A value that is valid against the schema.
    ///   - variety: The kinds of differences.
    ///   - isAllowed: Returns whether a value is possible although it is valid.
    package func restructured(
        _ value: JSONValue, _ schema: DescriptionNode, _ variety: SampleVariety,
        using random: inout some RandomNumberGenerator, isAllowed: (JSONValue) -> Bool = { _ in true }
    ) -> JSONValue {
        guard !variety.isDisjoint(with: [.omissions, .nulls, .counts]) else { return value }
        return withoutActuallyEscaping(isAllowed) { isAllowed in
            var walk = StructureWalk(sampler: self, variety: variety, whole: value) { [self] value in
                accepts(value, schema) && isAllowed(value)
            }
            walk.visit([schema], value, SampleSite(), using: &random)
            return walk.whole
        }
    }
}

/// A traversal of a value that leaves out and adds parts.
private struct StructureWalk {
    private static let maximumDepth = 8
    private static let maximumCount = 4
    /// The probabilities of changes, as one of this many.
    private static let (omission, null, count): (UInt8, UInt8, UInt8) = (3, 4, 2)

    let sampler: SchemaSampler
    let variety: SampleVariety
    var whole: JSONValue
    let isAllowed: (JSONValue) -> Bool

    /// Changes a part and the parts inside of it.
    mutating func visit(
        _ schemas: [DescriptionNode], _ value: JSONValue, _ site: SampleSite,
        using random: inout some RandomNumberGenerator
    ) {
        guard site.depth < Self.maximumDepth, !schemas.isEmpty else { return }
        let facts = sampler.facts(schemas, describing: value)
        if variety.contains(.nulls), facts.types.contains(.null), !value.isNull, Self.happens(Self.null, &random),
            replace(site, with: .null)
        {
            return
        }
        switch value {
        case .null, .bool, .number, .string: break
        case .array(let elements):
            if variety.contains(.counts), Self.happens(Self.count, &random) {
                let count = Int.random(in: 0...min(facts.maximumItems ?? .max, Self.maximumCount), using: &random)
                if let other = array(of: count, elements, facts, site), replace(site, with: other) { return }
            }
            for (index, element) in elements.enumerated() {
                let inner = facts.prefix.indices.contains(index) ? facts.prefix[index] : facts.items
                visit(inner, element, site.inside("\(index)", facts), using: &random)
            }
        case .object(var object):
            for (name, member) in object {
                if variety.contains(.omissions), !facts.requiredNames.contains(name),
                    Self.happens(Self.omission, &random)
                {
                    var less = object
                    less.removeValue(forKey: name)
                    if replace(site, with: .object(less)) {
                        object = less
                        continue
                    }
                }
                visit(facts.schemas(of: name), member, site.inside(name, facts), using: &random)
                if let changed = whole.part(site.path[...])?.objectValue { object = changed }
            }
        }
    }

    private static func happens(_ one: UInt8, _ random: inout some RandomNumberGenerator) -> Bool {
        UInt8.random(in: 0..<one, using: &random) == 0
    }

    /// Returns an array with some of the elements, or with new ones after them.
    private func array(
        of count: Int, _ elements: [JSONValue], _ facts: SchemaConstraints, _ site: SampleSite
    ) -> JSONValue? {
        if count <= elements.count { return .array(Array(elements.prefix(count))) }
        var changed = facts
        changed.minimumItems = count
        var run = SampleRun(sampler)
        guard let more = try? run.array(changed, .everything, site).arrayValue else { return nil }
        return .array(elements + more.dropFirst(elements.count))
    }

    /// Replaces a part unless the whole value is not allowed then.
    private mutating func replace(_ site: SampleSite, with part: JSONValue) -> Bool {
        let changed = whole.replacing(site.path[...], with: part)
        guard changed != whole, isAllowed(changed) else { return false }
        whole = changed
        return true
    }
}

extension JSONValue {
    /// Returns the part at a path of names and indices.
    fileprivate func part(_ path: ArraySlice<String>) -> JSONValue? {
        guard let token = path.first else { return self }
        switch self {
        case .object(let object): return object[token]?.part(path.dropFirst())
        case .array(let elements):
            guard let index = Int(token), elements.indices.contains(index) else { return nil }
            return elements[index].part(path.dropFirst())
        case .null, .bool, .number, .string: return nil
        }
    }
}
