/// Named values of a request, in the order they were given.
///
/// ```swift
/// let page = 2
/// let parameters: Parameters = ["page": page, "phone": ["mobile": "xx"], "families": ["father", "mother"]]
/// ```
///
/// Variables and literals may stand where a value does (see ``ParameterConvertible``). A nested dictionary is sorted by name,
/// unless it is `Parameters` too; nested values of several types are ``ParameterValue/array(_:)`` or `Parameters`.
public struct Parameters: Sendable {
    /// A name and its value.
    public typealias Element = (key: String, value: ParameterValue)

    private var members: [Element] = []
    private var positions: [String: Int] = [:]

    /// Creates parameters without any.
    public init() {}

    /// Creates parameters; of equal names the last value counts, at the place of the first.
    public init(_ members: some Sequence<(String, ParameterValue)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The value of a name; setting nil removes it.
    public subscript(name: String) -> ParameterValue? {
        get { positions[name].map { members[$0].value } }
        set {
            switch (positions[name], newValue) {
            case (let position?, let value?):
                members[position].value = value
            case (nil, let value?):
                positions[name] = members.count
                members.append((name, value))
            case (let position?, nil):
                members.remove(at: position)
                positions.removeValue(forKey: name)
                for index in position..<members.count { positions[members[index].key] = index }
            case (nil, nil):
                break
            }
        }
    }

    /// The value of a name, for a variable that is assigned: `parameters["page"] = page`; setting nil removes it.
    @_disfavoredOverload
    public subscript(name: String) -> (any ParameterConvertible)? {
        get { self[name] as ParameterValue? }
        set { self[name] = newValue.map(\.parameterValue) as ParameterValue? }
    }
}

extension Parameters: RandomAccessCollection {
    /// The position of the first parameter.
    public var startIndex: Int { 0 }
    /// The position after the last parameter.
    public var endIndex: Int { members.count }
    /// The parameter at a position.
    public subscript(position: Int) -> Element { members[position] }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    /// Creates parameters in the order written; of equal names the last value counts.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        self.init(elements.map { ($0.0, $0.1?.parameterValue ?? .null) })
    }
}

extension Parameters: Hashable {
    /// Whether both have the same values for the same names, in whatever order.
    public static func == (first: Parameters, second: Parameters) -> Bool {
        first.count == second.count && first.members.allSatisfy { second[$0.key] == $0.value }
    }

    /// Feeds the parameters, without their order, to a hasher.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, value) in members {
            var one = Hasher()
            one.combine(name)
            one.combine(value)
            sum ^= one.finalize()
        }
        hasher.combine(sum)
    }
}

/// The name of a parameter, or the position in a list, as a coding key.
struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}
