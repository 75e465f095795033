/// Encodes values by name into a node.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
        node.holdMembers()
    }

    mutating func encodeNil(forKey key: Key) throws {
        node.member(key.stringValue).content = options.nils.content
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try FormTreeEncoder.encode(value, into: node.member(key.stringValue), options, codingPath + [key])
    }

    // The defaults for these two refuse them.

    mutating func encode(_ value: Int128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    // A missing value is a nil value: what to write of it is the encoder's choice and not the type's.

    private mutating func encodePresent(_ value: (some Encodable)?, _ key: Key) throws {
        guard let value else { return try encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try encodePresent(value, key)
    }

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodePresent(value, key) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            FormKeyedContainer<NestedKey>(node.member(key.stringValue), options, codingPath + [key]))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(node.member(key.stringValue), options, codingPath + [key])
    }

    /// An encoder of the superclass's values, which are written beside the subclass's.
    mutating func superEncoder() -> any Encoder {
        FormTreeEncoder(node, options, codingPath)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        FormTreeEncoder(node.member(key.stringValue), options, codingPath + [key])
    }
}
