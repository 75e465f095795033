extension Shape {
    /// The narrowest shape that allows what either allows.
    ///
    /// The depth of shapes is bounded where they are made, and with it this recursion.
    public func merged(with other: Shape) -> Shape {
        if isAny || other.isAny { return .any }
        if other.isNone { return self }
        if isNone { return other }
        var result = self
        result.types = types.merged(with: other.types)
        result.text = Self.merged(text, other.text) { $0.merged(with: $1) }
        result.elements = Self.merged(elements, other.elements) { $0.merged(with: $1) }
        result.members = Self.merged(members, other.members) { $0.merged(with: $1) }
        result.normalize()
        return result
    }

    /// Gives up what could not be written: an enumeration beside types that it would exclude.
    mutating func normalize() {
        if case .values(let values) = text,
            !types.isSubset(of: [.string, .null]) || values.count > ShapeLimits.values || values.isEmpty
        {
            text = .free
        }
    }

    private static func merged<Part>(_ first: Part?, _ second: Part?, _ merge: (Part, Part) -> Part) -> Part? {
        guard let first else { return second }
        guard let second else { return first }
        return merge(first, second)
    }
}

extension Shape.Text {
    func merged(with other: Shape.Text) -> Shape.Text {
        switch (self, other) {
        case (.values(let first), .values(let second)):
            let union = first.union(second)
            return union.count > ShapeLimits.values ? .free : .values(union)
        case (.format(let first), .format(let second)): return first == second ? self : .free
        case (.values, _), (.format, _), (.free, _): return .free
        }
    }
}

extension Shape.Elements {
    func merged(with other: Shape.Elements) -> Shape.Elements {
        switch (self, other) {
        case (.unknown, _): other
        case (_, .unknown): self
        case (.of(let first), .of(let second)): .of(first.merged(with: second))
        }
    }
}

extension Shape.Members {
    func merged(with other: Shape.Members) -> Shape.Members {
        switch (self, other) {
        case (.record(let first), .record(let second)): return Self.merged(first, second)
        case (.map(let first), .map(let second)): return .map(first.merged(with: second))
        case (.map(let values), .record(let record)), (.record(let record), .map(let values)):
            return .map(Self.common(of: record).merged(with: values))
        }
    }

    private static func merged(_ first: [String: Shape.Member], _ second: [String: Shape.Member]) -> Shape.Members {
        var result = first
        for (name, member) in first where member.isRequired && second[name] == nil { result[name]?.isRequired = false }
        for (name, member) in second {
            guard let known = first[name] else {
                result[name] = Shape.Member(member.shape, isRequired: false)
                continue
            }
            result[name] = Shape.Member(
                known.shape.merged(with: member.shape), isRequired: known.isRequired && member.isRequired)
        }
        return result.count > ShapeLimits.members ? .map(common(of: result)) : .record(result)
    }

    /// What all values of a record have in common.
    static func common(of record: [String: Shape.Member]) -> Shape {
        var common = Shape.none
        for member in record.values { common = common.merged(with: member.shape) }
        return common
    }
}
