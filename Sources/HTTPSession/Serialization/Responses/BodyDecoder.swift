public import FoundationEssentials
import JSON

/// Makes values of bodies: a decoder of JSON, of property lists, or of anything else.
public protocol BodyDecoder: Sendable {
    /// Makes a value of a body.
    func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value
}

extension JSONDecoder: BodyDecoder {
    /// Makes a value of JSON.
    /// - Throws: `DecodingError`; for what is no JSON it has the parser's error, which says where.
    public func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        do {
            return try decode(type, from: Data(body))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [], debugDescription: context.debugDescription,
                    underlyingError: Self.syntaxError(body) ?? context.underlyingError))
        }
    }

    private static func syntaxError(_ body: [UInt8]) -> (any Error)? {
        do throws(JSONParseError) {
            _ = try JSONParser().parse(body)
            return nil
        } catch {
            return error
        }
    }
}

extension PropertyListDecoder: BodyDecoder {
    /// Makes a value of a property list, XML or binary.
    ///
    /// A list that is nested more than 512 deep, contains itself or becomes too large is refused before it is read.
    public func decodeBody<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) throws -> Value {
        try PropertyListCheck(body).check()
        return try decode(type, from: Data(body))
    }
}
