public import JSON

extension Shape {
    /// Holds a value against the shape.
    ///
    /// - Returns: Each difference once for all elements and rows of the value, in the order in which they were met.
    public func differences(of value: JSONValue) -> [ShapeDifference] {
        var comparison = ShapeComparison()
        comparison.compare(value, self)
        return comparison.differences
    }
}

/// Walks a value along the shape that is locked for it; nothing is made of what is as locked.
private struct ShapeComparison {
    private struct Key: Hashable {
        var kind: ShapeDifference.Kind
        var path: ShapePath
    }

    private(set) var differences: [ShapeDifference] = []
    private var known: [Key: Int] = [:]
    private var path = ShapePath()
    /// The way in the value itself.
    private var place: [NormalizedPath.Step] = []
    /// How many places are named of a difference.
    private static let mostPlaces = 3

    /// The depth of shapes is bounded, and with it this recursion.
    mutating func compare(_ value: JSONValue, _ shape: Shape) {
        if shape.isAny || shape.isNone { return }
        switch value {
        case .null:
            if !shape.types.contains(.null) { add(.null, locked: shape, found: value) }
        case .bool:
            if !shape.types.contains(.boolean) { add(.type, locked: shape, found: value) }
        case .number(let number):
            let type: ShapeTypes = ShapeObservation.Node.isWhole(number) ? .integer : .number
            if !shape.types.allows(type) { add(.type, locked: shape, found: value) }
        case .string(let text):
            switch shape.text {
            case .free: return
            case .values(let values): if !values.contains(text) { add(.newValue, locked: shape, found: value) }
            case .format(let format):
                if ShapeFormat(of: text) != format { add(.format, locked: shape, found: value) }
            case nil: add(.type, locked: shape, found: value)
            }
        case .array(let values):
            guard let elements = shape.elements else { return add(.type, locked: shape, found: value) }
            guard case .of(let shape) = elements else { return }
            path.steps.append(.element)
            for (index, value) in values.enumerated() {
                place.append(.index(index))
                compare(value, shape)
                place.removeLast()
            }
            path.steps.removeLast()
        case .object(let object):
            switch shape.members {
            case .record(let record): compare(object, record)
            case .map(let shape):
                path.steps.append(.anyMember)
                for (name, value) in object {
                    place.append(.name(name))
                    compare(value, shape)
                    place.removeLast()
                }
                path.steps.removeLast()
            case nil: add(.type, locked: shape, found: value)
            }
        }
    }

    private mutating func compare(_ object: JSONObject, _ record: [String: Shape.Member]) {
        var required = 0
        for (name, value) in object {
            path.steps.append(.member(name))
            place.append(.name(name))
            if let member = record[name] {
                if member.isRequired { required += 1 }
                compare(value, member.shape)
            } else {
                add(.newMember, locked: nil, found: value)
            }
            path.steps.removeLast()
            place.removeLast()
        }
        guard required < record.values.count(where: \.isRequired) else { return }
        let lost = record.filter { $0.value.isRequired && !object.contains($0.key) }
        for (name, member) in lost.sorted(by: { Shape.precedes($0.key, $1.key) }) {
            path.steps.append(.member(name))
            place.append(.name(name))
            add(.lostMember, locked: member.shape, found: nil)
            path.steps.removeLast()
            place.removeLast()
        }
    }

    private var placeText: String { NormalizedPath(place).shorthand }

    private mutating func add(_ kind: ShapeDifference.Kind, locked: Shape?, found: JSONValue?) {
        let key = Key(kind: kind, path: path)
        let shape = found.map(Shape.init(of:))
        if let index = known[key] {
            differences[index].count += 1
            if differences[index].places.count < Self.mostPlaces { differences[index].places.append(placeText) }
            if let shape { differences[index].found = differences[index].found?.merged(with: shape) }
        } else if differences.count < ShapeLimits.differences {
            known[key] = differences.count
            var difference = ShapeDifference(kind: kind, path: path, locked: locked, found: shape)
            difference.places = [placeText]
            differences.append(difference)
        }
    }
}
