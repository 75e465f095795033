import FoundationEssentials

extension ParameterValue: Encodable {
    /// Writes the value in the encoder's own terms; null as nil, a set as a list sorted by text.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .set(let values):
            var container = encoder.unkeyedContainer()
            for value in Self.sorted(values) { try container.encode(value) }
        case .dictionary(let parameters):
            try parameters.encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            case .double(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .date(let value): try container.encode(value)
            case .data(let value): try container.encode(Data(value))
            default: try container.encodeNil()
            }
        }
    }

    /// The values of a set in the order of their text in a query.
    static func sorted(_ values: Set<ParameterValue>) -> [ParameterValue] {
        let keyed = values.map { (text: FormWriter.sortingText(of: $0), value: $0) }
        return keyed.sorted { $0.text < $1.text }.map(\.value)
    }
}

extension ParameterValue: Decodable {
    /// The deepest nesting that is read.
    private static let maximumDepth = 512

    /// Reads any value that has a form here.
    /// - Throws: `DecodingError` for another value, or one that is nested more than 512 deep.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the value is nested too deeply"))
        }
        if let container = try? decoder.container(keyedBy: ParameterKey.self) {
            self = .dictionary(try Parameters(container))
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var values: [ParameterValue] = []
            while !container.isAtEnd { values.append(try container.decode(ParameterValue.self)) }
            self = .array(values)
            return
        }
        self = try Self.single(decoder.singleValueContainer())
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> ParameterValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Int.self) { return .int(value) }
        if let value = try? container.decode(Double.self) { return .double(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        return .data(Array(try container.decode(Data.self)))
    }
}

extension Parameters: Codable {
    /// Writes the parameters as a keyed container, in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ParameterKey.self)
        for (name, value) in self { try container.encode(value, forKey: ParameterKey(name)) }
    }

    /// Reads the members of a keyed container.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.container(keyedBy: ParameterKey.self))
    }

    fileprivate init(_ container: KeyedDecodingContainer<ParameterKey>) throws {
        self.init()
        for key in container.allKeys { self[key.stringValue] = try container.decode(ParameterValue.self, forKey: key) }
    }
}
