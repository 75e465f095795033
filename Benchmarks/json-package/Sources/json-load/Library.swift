import Foundation
import JSON

/// A library that is measured.
enum Library: String, CaseIterable {
    /// The project's module JSON.
    case own
    /// Foundation's JSONSerialization.
    case serialization
    /// Foundation's JSONDecoder and JSONEncoder with a value type for any JSON.
    case decoder

    static var names: String { allCases.map(\.rawValue).joined(separator: "|") }

    /// Returns the operation to measure. Its result is a number that depends on all of its work.
    func prepare(_ work: Work, _ document: Data) throws -> () throws -> Int {
        switch self {
        case .own: try own(work, document)
        case .serialization: try serialization(work, document)
        case .decoder: try decoder(work, document)
        }
    }

    private func own(_ work: Work, _ document: Data) throws -> () throws -> Int {
        let bytes = [UInt8](document)
        let parser = JSONParser()
        switch work {
        case .load: return { bytes.count }
        case .parse: return { try parser.parse(bytes).arrayValue?.count ?? 1 }
        case .read: return { Library.sum(try parser.parse(bytes)) }
        case .write:
            let value = try parser.parse(bytes)
            return { value.serializedBytes().count }
        }
    }

    private func serialization(_ work: Work, _ document: Data) throws -> () throws -> Int {
        switch work {
        case .load: return { document.count }
        case .parse: return { (try JSONSerialization.jsonObject(with: document) as? [Any])?.count ?? 1 }
        case .read: return { Library.sum(try JSONSerialization.jsonObject(with: document)) }
        case .write:
            let value = try JSONSerialization.jsonObject(with: document)
            return { try JSONSerialization.data(withJSONObject: value).count }
        }
    }

    private func decoder(_ work: Work, _ document: Data) throws -> () throws -> Int {
        let decoder = JSONDecoder()
        switch work {
        case .load: return { document.count }
        case .parse:
            return {
                if case .array(let elements) = try decoder.decode(AnyValue.self, from: document) {
                    return elements.count
                }
                return 1
            }
        case .read: return { Library.sum(try decoder.decode(AnyValue.self, from: document)) }
        case .write:
            let value = try decoder.decode(AnyValue.self, from: document)
            let encoder = JSONEncoder()
            return { try encoder.encode(value).count }
        }
    }

    // MARK: Reading every value

    private static func sum(_ value: JSONValue) -> Int {
        switch value {
        case .null: 1
        case .bool(let value): value ? 2 : 3
        case .number(let number): whole(number.double)
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 &+ sum($1) }
        case .object(let object): object.reduce(0) { $0 &+ $1.key.utf8.count &+ sum($1.value) }
        }
    }

    private static func sum(_ value: Any) -> Int {
        switch value {
        case let text as String: text.utf8.count
        case let elements as [Any]: elements.reduce(0) { $0 &+ sum($1) }
        case let members as [String: Any]: members.reduce(0) { $0 &+ $1.key.utf8.count &+ sum($1.value) }
        case is NSNull: 1
        case let value as Bool: value ? 2 : 3
        case let number as NSNumber: whole(number.doubleValue)
        default: 0
        }
    }

    private static func sum(_ value: AnyValue) -> Int {
        switch value {
        case .null: 1
        case .bool(let value): value ? 2 : 3
        case .number(let number): whole(number)
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 &+ sum($1) }
        case .object(let members): members.reduce(0) { $0 &+ $1.key.utf8.count &+ sum($1.value) }
        }
    }

    private static func whole(_ number: Double) -> Int {
        number.magnitude < 9e18 ? Int(number) : 0
    }
}
