/// The named parameters of a request, in the order given.
///
/// ```swift
/// let page = 2
/// let parameters: Parameters = ["page": page, "phone": ["mobile": "xx"], "families": ["father", "mother"]]
/// ```
///
/// Variables and literals can be used as values (see ``ParameterConvertible``). A nested dictionary is sorted by key
/// unless it is also `Parameters`. Use ``ParameterValue/array(_:)`` or `Parameters` for nested values of different
/// types.
public struct Parameters: Sendable {
    /// The name and the value of a parameter.
    public typealias Element = (key: String, value: ParameterValue)

    private var members: [Element] = []
    private var positions: [String: Int] = [:]

    /// Creates empty parameters.
    public init() {}

    /// Creates parameters from name-value pairs.
    ///
    /// If a name occurs more than once, the last value is used at the position of the first.
    public init(_ members: some Sequence<(String, ParameterValue)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The value of a parameter; setting nil removes the parameter.
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

    /// The value of a parameter, for assigning a variable: `parameters["page"] = page`. Setting nil removes the
    /// parameter.
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
    /// Creates parameters in the order written; if a name occurs more than once, the last value is used.
    public init(dictionaryLiteral elements: (String, (any ParameterConvertible)?)...) {
        self.init(elements.map { ($0.0, $0.1?.parameterValue ?? .null) })
    }
}

extension Parameters: Hashable {
    /// Returns whether both have the same values for the same names, regardless of their order.
    public static func == (first: Parameters, second: Parameters) -> Bool {
        first.count == second.count && first.members.allSatisfy { second[$0.key] == $0.value }
    }

    /// Hashes the parameters, regardless of their order.
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

/// A coding key for the name of a parameter or an index in an array.
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
