import JSON
import JSONSchema
import Testing

@testable import Expectations

struct ShapeMergingTests {
    private static let seeds: [UInt64] = Array(1...40)

    private static func shape(_ values: [JSONValue]) -> Shape {
        var observation = ShapeObservation()
        for value in values { observation.add(value) }
        return observation.shape
    }

    @Test(arguments: seeds) func isAssociativeCommutativeAndIdempotent(seed: UInt64) {
        var random = RandomValues(seed: seed)
        for _ in 0..<25 {
            let a = Self.shape(random.values(random.number(below: 4)))
            let b = Self.shape(random.values(random.number(below: 30)))
            let c = Self.shape(random.values(random.number(below: 4)))
            #expect(a.merged(with: b) == b.merged(with: a))
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
            #expect(a.merged(with: a) == a)
            #expect(a.merged(with: b).merged(with: b) == a.merged(with: b))
            #expect(a.merged(with: .none) == a)
            #expect(a.merged(with: .any) == .any)
        }
    }

    @Test(arguments: seeds) func everyValueFollowsTheMergedSchema(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<10 {
            let first = random.values(1 + random.number(below: 30))
            let second = random.values(1 + random.number(below: 5))
            let shape = Self.shape(first).merged(with: Self.shape(second))
            let schema = try JSONSchema(shape.schema, options: JSONSchemaOptions(assertsFormat: true))
            for value in first + second {
                #expect(schema.isValid(value), "\(value) does not match \(shape.schema.serialized())")
                #expect(shape.differences(of: value) == [])
            }
        }
    }

    /// The schema rejects exactly the values with breaking differences.
    @Test(arguments: seeds) func differencesAgreeWithTheSchema(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<10 {
            let shape = Self.shape(random.values(1 + random.number(below: 30)))
            let schema = try JSONSchema(shape.schema, options: JSONSchemaOptions(assertsFormat: true))
            for value in random.values(10) {
                let differences = shape.differences(of: value)
                let isAllowed = !differences.contains { $0.kind.isBreaking || $0.kind == .newValue }
                if isAllowed { #expect(schema.isValid(value)) }
                if !schema.isValid(value) { #expect(!isAllowed) }
            }
        }
    }

    @Test(arguments: seeds) func isReadBackFromItsSchema(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<25 {
            let shape = Self.shape(random.values(1 + random.number(below: 30)))
            #expect(try Shape(schema: shape.schema) == shape)
        }
    }

    @Test(arguments: seeds) func observationsInPartsComeToTheSame(seed: UInt64) {
        var random = RandomValues(seed: seed)
        let values = random.values(60)
        var parts = ShapeObservation()
        for start in stride(from: 0, to: values.count, by: 7) {
            var part = ShapeObservation()
            for value in values[start..<min(start + 7, values.count)] { part.add(value) }
            parts.add(part)
        }
        #expect(parts.shape == Self.shape(values))
    }

    @Test func manyValuesGiveAnEnumerationUp() {
        func enumeration(_ range: Range<Int>) -> Shape {
            Shape(types: .string, text: .values(Set(range.map { "value-\($0)" })))
        }
        #expect(
            enumeration(0..<20).merged(with: enumeration(10..<32)).text == .values(Set((0..<32).map { "value-\($0)" })))
        #expect(enumeration(0..<20).merged(with: enumeration(20..<33)).text == .free)
    }

    @Test func boundsKeepShapesSmall() throws {
        var observation = ShapeObservation()
        for start in 0..<30 {
            var object = JSONObject()
            for index in 0..<100 { object["member of \(start * 100 + index)"] = .string("x") }
            observation.add(.object(object))
        }
        #expect(observation.shape.members == .map(Shape(types: .string)))

        var deep = JSONValue.null
        for _ in 0..<200 { deep = .array([deep]) }
        let shape = Shape(of: deep)
        #expect(shape.differences(of: deep) == [])
        #expect(try JSONSchema(shape.schema).isValid(deep))
        #expect(try Shape(schema: shape.schema) == shape)
    }
}
