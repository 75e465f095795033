import FoundationEssentials

/// Encodes values into nodes.
final class FormTreeEncoder: Encoder {
    let node: FormNode
    let options: QueryEncoder
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
    }

    /// Encodes the outermost value.
    func encodeRoot(_ value: some Encodable) throws {
        try Self.encode(value, into: node, options, codingPath)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer(node, options, codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(node, options, codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleValueContainer(node, options, codingPath)
    }

    /// Encodes a value into a node; those that a query has forms for do not encode themselves.
    static func encode<Value: Encodable>(
        _ value: Value, into node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]
    ) throws {
        switch value {
        case let date as Date:
            if let text = try options.dates.text(date) {
                node.content = .text(text)
                return
            }
        case let data as Data:
            if let text = try options.data.text(Array(data)) {
                node.content = .text(text)
                return
            }
        case let decimal as Decimal:
            // Its own form is a record of mantissa and exponent.
            node.content = .text(decimal.description)
            return
        case let value as ParameterValue:
            try node.take(FormNode(value, options))
            return
        case let parameters as Parameters:
            try node.take(FormNode(.dictionary(parameters), options))
            return
        case is any ValuesWithoutOrder:
            node.isUnordered = true
        default: break
        }
        try value.encode(to: FormTreeEncoder(node, options, codingPath))
    }
}

/// A collection whose values come in an order that means nothing.
private protocol ValuesWithoutOrder {}
extension Set: ValuesWithoutOrder {}
extension Dictionary: ValuesWithoutOrder {}

extension FormNode {
    /// Takes over what another node holds.
    fileprivate func take(_ other: FormNode) {
        content = other.content
        isUnordered = other.isUnordered
    }
}
