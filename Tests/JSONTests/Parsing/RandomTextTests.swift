import Basics
import JSON
import Testing

/// Tests of random, but reproducible, texts.
struct RandomTextTests {
    /// Bytes that have a meaning in JSON or are often handled incorrectly.
    private static let bytes: [UInt8] =
        Array("{}[]:,\"\\/ \t\n\r-+.eE0123456789truefalsn\u{0}\u{1F}\u{7F}uUdD8cC'".utf8)
        + [0x80, 0xBF, 0xC0, 0xC3, 0xA9, 0xE0, 0xED, 0xA0, 0xEF, 0xBB, 0xF0, 0x9F, 0xF4, 0xF5, 0xFF]

    private static func value(_ depth: Int, using generator: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 8 : 5), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2:
            .number(
                JSONNumber(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...63, using: &generator)))
        case 3:
            JSONNumber(Double(bitPattern: generator.next())).map(JSONValue.number) ?? 0.5
        case 4, 5: .string(text(using: &generator))
        case 6:
            .array((0..<Int.random(in: 0...6, using: &generator)).map { _ in value(depth - 1, using: &generator) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0...(depth == 1 ? 40 : 6), using: &generator)).map { _ in
                        (text(using: &generator), value(depth - 1, using: &generator))
                    }))
        }
    }

    private static func text(using generator: inout SplitMix64) -> String {
        var scalars = String.UnicodeScalarView()
        let limit: UInt32 = [0x7F, 0x7F, 0x2FF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator)) { scalars.append(scalar) }
        }
        return String(scalars)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<400 {
            let value = RandomTextTests.value(4, using: &generator)
            for format in [JSONFormat.compact, .pretty, .sorted, JSONFormat(indentation: 0)] {
                let text = value.serializedBytes(format)
                let read = try JSONValue(parsing: text)
                #expect(read == value)
                #expect(read.hashValue == value.hashValue)
                #expect(read.serializedBytes(format) == text)
            }
        }
    }

    /// Texts with changed, removed, added or repeated bytes are accepted according to the grammar.
    @Test func changedTexts() {
        var generator = SplitMix64(seed: 4)
        var accepted = 0
        for _ in 0..<6_000 {
            let seed = RandomTextTests.value(2, using: &generator)
            var text = seed.serializedBytes(Bool.random(using: &generator) ? .pretty : .compact)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let location = Int.random(in: 0..<max(1, text.count), using: &generator)
                let byte = RandomTextTests.bytes.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0...3, using: &generator) {
                case 0 where location < text.count: text[location] = byte
                case 1 where location < text.count: text.remove(at: location)
                case 2: text.insert(contentsOf: text.dropFirst(location).prefix(9), at: location)
                default: text.insert(byte, at: location)
                }
            }
            let isAccepted = (try? JSONValue(parsing: text)) != nil
            #expect(isAccepted == ReferenceGrammar.accepts(text), "\(String(decoding: text, as: UTF8.self))")
            if isAccepted { accepted += 1 }
        }
        #expect((100...5_900).contains(accepted))
    }

    @Test func noise() {
        var generator = SplitMix64(seed: 5)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                RandomTextTests.bytes.randomElement(using: &generator) ?? 0
            }
            let isAccepted = (try? JSONValue(parsing: text)) != nil
            #expect(isAccepted == ReferenceGrammar.accepts(text), "\(text)")
        }
    }
}
