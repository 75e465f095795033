import Basics
public import JSON

/// What was seen of the values at a place: enough to infer a ``Shape``, and none of the values themselves.
///
/// It grows with the number of places, not with the number of values: beyond the bounds of ``ShapeLimits``, places are
/// left open.
public struct ShapeObservation: Sendable {
    private var root = Node()
    private var places = 0

    /// Creates an observation of nothing.
    public init() {}

    /// Adds a value.
    public mutating func add(_ value: JSONValue) {
        root.add(value, depth: 0, places: &places)
    }

    /// Adds what another one has seen.
    public mutating func add(_ other: ShapeObservation) {
        root.add(other.root, places: &places)
    }

    /// The shape of what was seen.
    public var shape: Shape { root.shape }

    /// What was seen at one place.
    struct Node: Sendable {
        private var types: ShapeTypes = []
        private var isOpen = false
        private var texts: TextObservation?
        private var objects: Objects?
        /// What was seen of the elements; one at most, as a node cannot hold itself.
        private var elements: [Node] = []

        /// What was seen of the objects at a place.
        private struct Objects: Sendable {
            var count = 0
            var members: [String: Member] = [:]
            /// The values of members whose names are no longer told apart; one at most.
            var others: [Node] = []
        }

        private struct Member: Sendable {
            /// In how many objects the member was.
            var count = 0
            var node = Node()
        }

        // The depth is bounded, and with it this recursion.
        mutating func add(_ value: JSONValue, depth: Int, places: inout Int) {
            if isOpen { return }
            guard depth < ShapeLimits.depth, places <= ShapeLimits.places else { return open() }
            switch value {
            case .null: types.insert(.null)
            case .bool: types.insert(.boolean)
            case .number(let number): types.insert(Self.isWhole(number) ? .integer : .number)
            case .string(let text):
                types.insert(.string)
                if texts == nil { texts = TextObservation() }
                texts?.add(text)
            case .array(let values):
                types.insert(.array)
                guard !values.isEmpty else { return }
                if elements.isEmpty {
                    elements.append(Node())
                    places += 1
                }
                for value in values { elements[0].add(value, depth: depth + 1, places: &places) }
            case .object(let object):
                types.insert(.object)
                if objects == nil { objects = Objects() }
                objects?.count += 1
                for (name, value) in object { add(value, named: name, depth: depth + 1, places: &places) }
            }
        }

        private mutating func add(_ value: JSONValue, named name: String, depth: Int, places: inout Int) {
            if objects?.others.isEmpty == false {
                objects?.others[0].add(value, depth: depth, places: &places)
                return
            }
            if objects?.members[name] == nil {
                places += 1
                if !hasRoom { giveUpNames() }
            }
            guard objects?.others.isEmpty == true else {
                objects?.others[0].add(value, depth: depth, places: &places)
                return
            }
            objects?.members[name, default: Member()].count += 1
            objects?.members[name]?.node.add(value, depth: depth, places: &places)
        }

        private var hasRoom: Bool { (objects?.members.count ?? 0) < ShapeLimits.members }

        /// Takes the names of members for data from now on.
        private mutating func giveUpNames() {
            guard var objects else { return }
            var common = objects.others.first ?? Node()
            var places = 0
            for member in objects.members.values { common.add(member.node, places: &places) }
            objects.members = [:]
            objects.others = [common]
            self.objects = objects
        }

        private mutating func open() {
            self = Node()
            isOpen = true
        }

        mutating func add(_ other: Node, places: inout Int) {
            if isOpen { return }
            guard !other.isOpen, places <= ShapeLimits.places else { return open() }
            types.formUnion(other.types)
            if let texts = other.texts {
                if self.texts == nil { self.texts = texts } else { self.texts?.add(texts) }
            }
            if let node = other.elements.first {
                if elements.isEmpty {
                    elements.append(Node())
                    places += 1
                }
                elements[0].add(node, places: &places)
            }
            guard let found = other.objects else { return }
            if objects == nil { objects = Objects() }
            objects?.count += found.count
            if let others = found.others.first {
                if objects?.others.isEmpty == true { giveUpNames() }
                objects?.others[0].add(others, places: &places)
            }
            for (name, member) in found.members {
                if objects?.others.isEmpty == true, objects?.members[name] == nil {
                    places += 1
                    if !hasRoom { giveUpNames() }
                }
                if objects?.others.isEmpty == false {
                    objects?.others[0].add(member.node, places: &places)
                } else {
                    objects?.members[name, default: Member()].count += member.count
                    objects?.members[name]?.node.add(member.node, places: &places)
                }
            }
        }

        /// Whether a number is written as an integer, which `10.0` is not: it says that there may be a fraction.
        static func isWhole(_ number: JSONNumber) -> Bool {
            if number.int64 == nil, !number.isInteger { return false }
            return number.literal.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
        }

        var shape: Shape {
            if isOpen { return .any }
            var shape = Shape(types: types)
            if types.contains(.string) { shape.text = texts?.text ?? .free }
            if let node = elements.first { shape.elements = .of(node.shape) }
            if let objects { shape.members = Self.members(objects) }
            shape.normalize()
            return shape
        }

        private static func members(_ objects: Objects) -> Shape.Members {
            if let others = objects.others.first { return .map(others.shape) }
            let record = objects.members.mapValues { member in
                Shape.Member(member.node.shape, isRequired: member.count >= objects.count)
            }
            if DynamicNames.areData(record.keys) {
                let common = Shape.Members.common(of: record)
                if common.isOfOneKind { return .map(common) }
            }
            return .record(record)
        }
    }
}

extension Shape {
    /// Whether all values are of one type, but for nulls.
    fileprivate var isOfOneKind: Bool {
        guard !isAny else { return false }
        let others = types.subtracting(.null)
        return others.rawValue.nonzeroBitCount == 1
    }
}

extension Shape {
    /// The shape of one value.
    public init(of value: JSONValue) {
        var observation = ShapeObservation()
        observation.add(value)
        self = observation.shape
    }
}
