import Basics
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An encoder that writes values to the nodes of a form tree.
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

    /// Encodes the root value.
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

    /// Encodes a value into a node; types with a query format of their own do not encode themselves.
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
            // By default, a decimal encodes itself as a record of mantissa and exponent.
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

/// A collection whose order has no meaning.
private protocol ValuesWithoutOrder {}
extension Set: ValuesWithoutOrder {}
extension Dictionary: ValuesWithoutOrder {}

extension FormNode {
    /// Adopts the content of another node.
    fileprivate func take(_ other: FormNode) {
        content = other.content
        isUnordered = other.isUnordered
    }
}

/// A keyed container that encodes values into a node.
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

    // The default implementations of these two throw.

    mutating func encode(_ value: Int128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    // A missing value is encoded as nil, because the encoder decides how nil is written, not the type.

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

    /// Returns an encoder for the superclass, whose members are written next to those of the subclass.
    mutating func superEncoder() -> any Encoder {
        FormTreeEncoder(node, options, codingPath)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        FormTreeEncoder(node.member(key.stringValue), options, codingPath + [key])
    }
}

/// An unkeyed container that encodes values into the list of a node.
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

    // The default implementations of these two throw.

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
        // Do not replace existing members with an empty list.
        if case .members = node.content { return FormTreeEncoder(node, options, codingPath) }
        let path = nextPath
        return FormTreeEncoder(node.element(), options, path)
    }
}

/// A container that encodes a single value into a node.
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

/// The descriptions of values in Objective-C's Foundation, which AFNetworking sends.
enum FoundationDescription {
    /// Returns a number as `NSNumber` writes it: up to `digits` significant digits, as C's `%g`.
    static func text(_ value: Double, digits: Int) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([Int32(clamping: digits), value]) { arguments in
            vsnprintf(&buffer, buffer.count, "%.*g", arguments)
        }
        let length = max(0, min(Int(count), buffer.count - 1))
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns bytes as `NSData` describes them: all bytes up to 24, otherwise the first 16 and the last 8.
    static func text(_ bytes: [UInt8]) -> String {
        var text = "{length = " + String(bytes.count) + ", bytes = 0x"
        if bytes.count <= 24 {
            return text + Hexadecimal.encode(bytes) + "}"
        }
        append(groups: bytes.prefix(16), to: &text)
        text += "... "
        append(groups: bytes.suffix(8), to: &text)
        return text + "}"
    }

    private static func append(groups bytes: ArraySlice<UInt8>, to text: inout String) {
        for (index, byte) in bytes.enumerated() {
            text += Hexadecimal.encode([byte])
            if index % 4 == 3 { text += " " }
        }
    }
}
