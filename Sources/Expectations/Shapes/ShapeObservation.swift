import Basics
public import JSON
import SuiteModel

/// The observed structure of the values at one location, from which a ``Shape`` is inferred. The values are not stored.
///
/// Its size depends on the number of distinct locations, not on the number of values. Beyond the limits of
/// ``ShapeLimits``, locations are unconstrained.
public struct ShapeObservation: Sendable {
    private var root = Node()
    private var locations = 0

    /// Creates an empty observation.
    public init() {}

    /// Adds a value.
    public mutating func add(_ value: JSONValue) {
        root.add(value, depth: 0, locations: &locations)
    }

    /// Adds another observation.
    public mutating func add(_ other: ShapeObservation) {
        root.add(other.root, locations: &locations)
    }

    /// The shape inferred from the observation.
    public var shape: Shape { root.shape }

    /// The observation of one location.
    struct Node: Sendable {
        private var types: ShapeTypes = []
        private var isOpen = false
        private var texts: TextObservation?
        private var objects: Objects?
        /// The observation of the elements: at most one node, in an array because a struct cannot contain itself.
        private var elements: [Node] = []

        /// The observation of the objects at a location.
        private struct Objects: Sendable {
            var count = 0
            var members: [String: Member] = [:]
            /// The values of members with indistinguishable names: at most one node.
            var others: [Node] = []
        }

        private struct Member: Sendable {
            /// The number of objects with the member.
            var count = 0
            var node = Node()
        }

        // Recursive, but the depth is limited.
        mutating func add(_ value: JSONValue, depth: Int, locations: inout Int) {
            if isOpen { return }
            guard depth < ShapeLimits.depth, locations <= ShapeLimits.locations else { return open() }
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
                    locations += 1
                }
                for value in values { elements[0].add(value, depth: depth + 1, locations: &locations) }
            case .object(let object):
                types.insert(.object)
                if objects == nil { objects = Objects() }
                objects?.count += 1
                for (name, value) in object { add(value, named: name, depth: depth + 1, locations: &locations) }
            }
        }

        private mutating func add(_ value: JSONValue, named name: String, depth: Int, locations: inout Int) {
            if objects?.others.isEmpty == false {
                objects?.others[0].add(value, depth: depth, locations: &locations)
                return
            }
            if objects?.members[name] == nil {
                locations += 1
                if !hasRoom { giveUpNames() }
            }
            guard objects?.others.isEmpty == true else {
                objects?.others[0].add(value, depth: depth, locations: &locations)
                return
            }
            objects?.members[name, default: Member()].count += 1
            objects?.members[name]?.node.add(value, depth: depth, locations: &locations)
        }

        private var hasRoom: Bool { (objects?.members.count ?? 0) < ShapeLimits.members }

        /// Treats the names of members as data from now on.
        private mutating func giveUpNames() {
            guard var objects else { return }
            var common = objects.others.first ?? Node()
            var locations = 0
            for member in objects.members.values { common.add(member.node, locations: &locations) }
            objects.members = [:]
            objects.others = [common]
            self.objects = objects
        }

        private mutating func open() {
            self = Node()
            isOpen = true
        }

        /// Adds another observation of the same location.
        mutating func add(_ other: Node, locations: inout Int) {
            if isOpen { return }
            guard !other.isOpen, locations <= ShapeLimits.locations else { return open() }
            types.formUnion(other.types)
            if let texts = other.texts {
                if self.texts == nil { self.texts = texts } else { self.texts?.add(texts) }
            }
            if let node = other.elements.first {
                if elements.isEmpty {
                    elements.append(Node())
                    locations += 1
                }
                elements[0].add(node, locations: &locations)
            }
            guard let found = other.objects else { return }
            if objects == nil { objects = Objects() }
            objects?.count += found.count
            if let others = found.others.first {
                if objects?.others.isEmpty == true { giveUpNames() }
                objects?.others[0].add(others, locations: &locations)
            }
            for (name, member) in found.members {
                if objects?.others.isEmpty == true, objects?.members[name] == nil {
                    locations += 1
                    if !hasRoom { giveUpNames() }
                }
                if objects?.others.isEmpty == false {
                    objects?.others[0].add(member.node, locations: &locations)
                } else {
                    objects?.members[name, default: Member()].count += member.count
                    objects?.members[name]?.node.add(member.node, locations: &locations)
                }
            }
        }

        /// Returns whether a number is written as an integer. A number such as `10.0` is not, because it may have a
        /// fraction.
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
    /// Whether all values except null have the same type.
    fileprivate var isOfOneKind: Bool {
        guard !isAny else { return false }
        let others = types.subtracting(.null)
        return others.rawValue.nonzeroBitCount == 1
    }
}

extension Shape {
    /// Creates the shape of one value.
    public init(of value: JSONValue) {
        var observation = ShapeObservation()
        observation.add(value)
        self = observation.shape
    }
}

/// The observation of the strings at a location.
struct TextObservation: Sendable {
    private var count = 0
    private var format: ShapeFormat?
    /// Whether strings with different formats, or without one, were observed.
    private var isFree = false
    /// The distinct values, while they may form an enumeration.
    private var values: Set<String>? = []

    /// Adds a string.
    mutating func add(_ text: String) {
        count += 1
        if !isFree {
            let own = ShapeFormat(of: text)
            if own == nil || (format != nil && format != own) { isFree = true }
            format = own
        }
        guard let values, !values.contains(text) else { return }
        if values.count < ShapeLimits.inferredValues, Self.isWord(text) {
            self.values?.insert(text)
        } else {
            self.values = nil
        }
    }

    /// Adds another observation.
    mutating func add(_ other: TextObservation) {
        count += other.count
        isFree = isFree || other.isFree || format != other.format
        guard let union = values.flatMap({ own in other.values.map(own.union) }) else {
            values = nil
            return
        }
        values = union.count <= ShapeLimits.inferredValues ? union : nil
    }

    /// The common constraint on the strings.
    var text: Shape.Text {
        if !isFree, let format { return .format(format) }
        guard let values, values.count > 1, count >= ShapeLimits.enumerationSamples,
            count >= values.count * ShapeLimits.samplesPerValue, Self.areAlike(values)
        else { return .free }
        return .values(values)
    }

    /// Returns whether a string is a word such as `in-progress`, `EUR` or `lowerCamel` rather than a name, ID or
    /// sentence.
    private static func isWord(_ text: String) -> Bool {
        guard (1...40).contains(text.utf8.count), let first = text.utf8.first, ASCII.isLetter(first) else {
            return false
        }
        var digits = 0
        for byte in text.utf8 {
            if ASCII.isDigit(byte) {
                digits += 1
            } else if !ASCII.isLetter(byte), ![UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte) {
                return false
            }
        }
        return digits <= 2
    }

    /// Returns whether all words start with a lowercase letter, or none contains one.
    private static func areAlike(_ words: Set<String>) -> Bool {
        let isSmall = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        return words.allSatisfy { $0.utf8.first.map(isSmall) == true }
            || words.allSatisfy { !$0.utf8.contains(where: isSmall) }
    }
}

/// A string format for shapes, specific enough that strings rarely match it by chance.
public enum ShapeFormat: String, Sendable, Hashable, CaseIterable {
    case dateTime = "date-time"
    case date
    case uuid
    case email
    case uri
    case ipv4
    case ipv6

    /// The maximum length of an examined string, in bytes.
    private static let maximumLength = 2_048

    /// Creates the format of a string. Returns nil if it has none of the formats.
    init?(of text: String) {
        let bytes = text.utf8
        guard (3...Self.maximumLength).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return nil
        }
        if bytes.count == 36, TextFormat.holds(text, .uuid) {
            self = .uuid
        } else if ASCII.isDigit(first), bytes.count == 10, TextFormat.holds(text, .date) {
            self = .date
        } else if ASCII.isDigit(first), bytes.count >= 20, Self.isDateTime(text, last: last) {
            self = .dateTime
        } else if ASCII.isDigit(first), TextFormat.holds(text, .ipv4) {
            self = .ipv4
        } else if Hexadecimal.isDigit(first) || first == UInt8(ascii: ":"), TextFormat.holds(text, .ipv6) {
            self = .ipv6
        } else if ASCII.isLetter(first), Self.hasAuthority(text), TextFormat.holds(text, .uri) {
            self = .uri
        } else if ASCII.isAlphanumeric(first), Self.isPlainAddress(text), TextFormat.holds(text, .email) {
            self = .email
        } else {
            return nil
        }
    }

    /// Returns whether a string is a date and time with an offset (RFC 3339).
    private static func isDateTime(_ text: String, last: UInt8) -> Bool {
        var text = text
        let hasForm = text.withUTF8 { bytes -> Bool in
            guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":") else {
                return false
            }
            if last == UInt8(ascii: "Z") { return true }
            guard bytes.count >= 25 else { return false }
            let sign = bytes[bytes.count - 6]
            return bytes[bytes.count - 3] == UInt8(ascii: ":")
                && (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
        }
        return hasForm && TextFormat.holds(text, .dateTime)
    }

    /// Returns whether `://` follows a possible scheme. URNs and strings such as `a:b` are too ambiguous.
    private static func hasAuthority(_ text: String) -> Bool {
        guard let colon = text.utf8.prefix(32).firstIndex(of: UInt8(ascii: ":")) else { return false }
        return text.utf8[colon...].starts(with: "://".utf8)
    }

    /// Returns whether a string is ASCII without spaces and quotation marks, with a single `@` and a period after it.
    private static func isPlainAddress(_ text: String) -> Bool {
        var ats = 0
        var hasPoint = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "@"): ats += 1
            case UInt8(ascii: "."): hasPoint = hasPoint || ats == 1
            case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "["), 0x7F...: return false
            default: break
            }
        }
        return ats == 1 && hasPoint
    }
}

/// The distinction between member names that are data, such as IDs, and names defined by an interface.
enum DynamicNames {
    /// The minimum number of members with numeric names for a map.
    private static let minimumNumbers = 3

    /// Returns whether the names of an object's members are data.
    static func areData(_ names: some Collection<String>) -> Bool {
        var numbers = 0
        for name in names {
            if isIdentifier(name) { continue }
            guard isNumbered(name) else { return false }
            numbers += 1
        }
        return !names.isEmpty && (numbers == 0 || names.count >= minimumNumbers)
    }

    /// Returns whether a name is unlikely to be chosen for a member: a UUID, date, address, or long key.
    private static func isIdentifier(_ name: String) -> Bool {
        ShapeFormat(of: name) != nil || isLongKey(name)
    }

    /// Returns whether a name has at least 16 letters and digits, including at least four digits.
    private static func isLongKey(_ name: String) -> Bool {
        guard (16...128).contains(name.utf8.count), name.utf8.allSatisfy(ASCII.isAlphanumeric) else {
            return false
        }
        return name.utf8.count(where: ASCII.isDigit) >= 4
    }

    /// Returns whether a name is a number, optionally after a short prefix, as in `ord_1024`.
    private static func isNumbered(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count) else { return false }
        let digits = name.utf8.reversed().prefix(while: ASCII.isDigit).count
        guard digits > 0 else { return false }
        let rest = name.utf8.dropLast(digits)
        guard let separator = rest.last else { return true }
        return digits >= 2 && (separator == UInt8(ascii: "_") || separator == UInt8(ascii: "-"))
            && rest.dropLast().allSatisfy(ASCII.isLetter)
    }
}
