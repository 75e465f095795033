/// Encodes values into a node's list.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
        node.offerList()
    }

    var count: Int { node.count }

    private var nextPath: [any CodingKey] { codingPath + [ParameterKey(index: node.count)] }

    mutating func encodeNil() throws {
        node.element().content = options.nils.content
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let path = nextPath
        try FormTreeEncoder.encode(value, into: node.element(), options, path)
    }

    // The defaults for these two refuse them.

    mutating func encode(_ value: Int128) throws { node.element().content = .text(String(value)) }
    mutating func encode(_ value: UInt128) throws { node.element().content = .text(String(value)) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let path = nextPath
        return KeyedEncodingContainer(FormKeyedContainer<NestedKey>(node.element(), options, path))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = nextPath
        return FormUnkeyedContainer(node.element(), options, path)
    }

    mutating func superEncoder() -> any Encoder {
        // Values that have names already are not replaced by a list that has none yet.
        if case .members = node.content { return FormTreeEncoder(node, options, codingPath) }
        let path = nextPath
        return FormTreeEncoder(node.element(), options, path)
    }
}
