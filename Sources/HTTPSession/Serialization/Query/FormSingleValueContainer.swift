/// Encodes one value into a node.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
    }

    mutating func encodeNil() throws { node.content = options.nils.content }
    mutating func encode(_ value: Bool) throws { node.content = .text(options.bools.text(value)) }
    mutating func encode(_ value: String) throws { node.content = .text(value) }
    mutating func encode(_ value: Double) throws { node.content = .text(options.numbers.text(value)) }
    mutating func encode(_ value: Float) throws { node.content = .text(options.numbers.text(value)) }
    mutating func encode(_ value: Int) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int8) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int16) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int32) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int64) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt8) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt16) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt32) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt64) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int128) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt128) throws { node.content = .text(String(value)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try FormTreeEncoder.encode(value, into: node, options, codingPath)
    }
}
