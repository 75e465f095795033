public import FoundationEssentials

/// Makes values of bytes: a decoder of JSON, of property lists, or of anything else.
public protocol BodyDecoder: Sendable {
    /// Makes a value of bytes.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}
