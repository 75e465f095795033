import FoundationEssentials
import HTTPSession
import JSON
import Testing

/// Tests of encodable values as queries.
@Suite("Queries from Encodable values")
struct QueryEncodableTests {
    struct Everything: Encodable {
        var one = "one"
        var two = 2
        var three = true
        var four: [Int] = [1, 2, 3]
        var five = ["a": "a"]
        var six = ["a": ["b": "b"]]
        var none: Int?
        var float: Float = 0.1
        var decimal = Decimal(string: "1.25")
        var small: UInt8 = 255
        var large = Int128.max
        var date = Date(timeIntervalSinceReferenceDate: 123.456)
        var data = Data("data".utf8)
        var set: Set<Int> = [3, 1, 2]
    }

    @Test("A structure is encoded with its property names")
    func structure() throws {
        #expect(
            try QueryEncoder.alamofire.encode(Everything())
                == "data=ZGF0YQ%3D%3D&date=123.456&decimal=1.25&five%5Ba%5D=a&float=0.1"
                + "&four%5B%5D=1&four%5B%5D=2&four%5B%5D=3&large=170141183460469231731687303715884105727"
                + "&one=one&set%5B%5D=1&set%5B%5D=2&set%5B%5D=3&six%5Ba%5D%5Bb%5D=b&small=255&three=1&two=2")
        #expect(
            try QueryEncoder(nils: .null, sorting: .none).encode(Everything())
                == "one=one&two=2&three=1&four%5B%5D=1&four%5B%5D=2&four%5B%5D=3&five%5Ba%5D=a&six%5Ba%5D%5Bb%5D=b"
                + "&none=null&float=0.1&decimal=1.25&small=255&large=170141183460469231731687303715884105727"
                + "&date=123.456&data=ZGF0YQ%3D%3D&set%5B%5D=1&set%5B%5D=2&set%5B%5D=3")
    }

    @Test("The AFNetworking dialect supports sets and nil values of any type")
    func afNetworking() throws {
        struct Value: Encodable {
            var set: Set<String> = ["b", "a"]
            var none: String?
            var date = Date(timeIntervalSinceReferenceDate: 0)
            var list = [2, 1]
        }
        #expect(
            try QueryEncoder.afNetworking.encode(Value())
                == "date=2001-01-01%2000%3A00%3A00%20%2B0000&list%5B%5D=2&list%5B%5D=1&none&set=a&set=b")
    }

    @Test("The members of a dictionary are encoded in a stable order")
    func dictionary() throws {
        let dictionary = ["f": 1, "b": 2, "z": 3, "a": 4, "q": 5]
        #expect(try QueryEncoder(sorting: .none).encode(dictionary) == "a=4&b=2&f=1&q=5&z=3")
        #expect(try QueryEncoder.alamofire.encode(["a": ["b": "b"]]) == "a%5Bb%5D=b")
        #expect(try QueryEncoder.alamofire.encode([3: "x", 1: "y"]) == "1=y&3=x")
    }

    /// A value that uses each kind of container explicitly.
    struct Manual: Encodable {
        enum Key: String, CodingKey { case four, five }
        enum Inner: String, CodingKey { case a, b, four, five }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var keyed = container.nestedContainer(keyedBy: Inner.self, forKey: .four)
            try keyed.encode("one", forKey: .four)
            var numbers = keyed.nestedUnkeyedContainer(forKey: .five)
            try numbers.encode(2)
            try numbers.encodeNil()
            var deep = numbers.nestedContainer(keyedBy: Inner.self)
            try deep.encode("x", forKey: .a)
            var flat = numbers.nestedUnkeyedContainer()
            try flat.encode(1)
            try flat.encode(0)
            var single = numbers.superEncoder().singleValueContainer()
            try single.encode("s")
            #expect(numbers.count == 5)
            let other = container.superEncoder(forKey: .five)
            var otherContainer = other.container(keyedBy: Inner.self)
            try otherContainer.encodeNil(forKey: .b)
            try otherContainer.encode("a", forKey: .a)
        }
    }

    @Test("Nested containers are encoded at their key paths")
    func manual() throws {
        #expect(
            try QueryEncoder(arrays: .indexInBrackets).encode(Manual())
                == "five%5Ba%5D=a&four%5Bfive%5D%5B0%5D=2&four%5Bfive%5D%5B1%5D%5Ba%5D=x&four%5Bfive%5D%5B2%5D%5B0%5D=1"
                + "&four%5Bfive%5D%5B2%5D%5B1%5D=0&four%5Bfive%5D%5B3%5D=s&four%5Bfour%5D=one")
    }

    /// A value that mixes containers with the same name, as in a test of Alamofire.
    struct Mixed: Encodable {
        enum Key: String, CodingKey { case four, five }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode([1, 2, 3], forKey: .four)
            try container.encode(["a": "a", "b": "b"], forKey: .five)
            var plain = container.superEncoder().container(keyedBy: Key.self)
            try plain.encode("one", forKey: .four)
            var keyed = container.superEncoder(forKey: .four).container(keyedBy: Key.self)
            try keyed.encode(2, forKey: .five)
            var list = container.nestedUnkeyedContainer(forKey: .four)
            var inner = list.superEncoder().container(keyedBy: Key.self)
            try inner.encode("one", forKey: .four)
        }
    }

    /// A value that encodes members, then an array, then members and an array into that array, as in a test of
    /// Alamofire.
    struct Replaced: Encodable {
        enum Root: String, CodingKey { case root }
        enum Key: String, CodingKey { case a }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Root.self)
            var keyed = container.nestedContainer(keyedBy: Key.self, forKey: .root)
            try keyed.encode(["string": "string"], forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .root)
            try list.encode([1, 2, 3])
            var inner = list.nestedContainer(keyedBy: Key.self)
            try inner.encode(["string": "string"], forKey: .a)
            var deep = list.nestedUnkeyedContainer()
            try deep.encode([1, 2, 3])
        }
    }

    @Test("Super encoders add to existing containers with the same key")
    func mixed() throws {
        let text = "five%5Ba%5D=a&five%5Bb%5D=b&four%5Bfive%5D=2&four%5Bfour%5D=one"
        #expect(try QueryEncoder.alamofire.encode(Mixed()) == text)
        #expect(try QueryEncoder(arrays: .indexInBrackets).encode(Mixed()) == text)
        let list = "root%5B%5D%5B%5D"
        #expect(
            try QueryEncoder.alamofireSortingArrays.encode(Replaced())
                == "\(list)%5B%5D=1&\(list)%5B%5D=2&\(list)%5B%5D=3&\(list)=1&\(list)=2&\(list)=3"
                + "&root%5B%5D%5Ba%5D%5Bstring%5D=string")
    }

    @Test("A value without keys is rejected, and the error includes it")
    func unnamed() throws {
        #expect(throws: EncodingError.self) { try QueryEncoder.alamofire.encode("string") }
        let error = #expect(throws: EncodingError.self) { try QueryEncoder.alamofire.encode([1]) }
        guard case .invalidValue(let value, _) = error else { return #expect(Bool(false)) }
        #expect(value as? [Int] == [1])
    }

    class Base: Encodable {
        var one = "one"
        var two = 2
    }

    final class Derived: Base {
        enum Key: String, CodingKey { case three }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(true, forKey: .three)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test("The values of a superclass are encoded next to those of the subclass")
    func inheritance() throws {
        #expect(try QueryEncoder.alamofire.encode(Derived()) == "one=one&three=1&two=2")
    }

    @Test("A single value without keys is rejected")
    func noNames() {
        for value in [QueryEncoderInput("text"), QueryEncoderInput([1, 2])] {
            #expect(throws: EncodingError.self) { try QueryEncoder.alamofire.encode(value) }
        }
        #expect(throws: EncodingError.self) { try QueryEncoder.alamofire.encode("text") }
    }

    struct QueryEncoderInput: Encodable {
        var value: ParameterValue
        init(_ value: ParameterValue) { self.value = value }
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test("Parameters are accessed, changed, and compared by key")
    func parameters() throws {
        var parameters: Parameters = ["a": 1, "b": 2, "a": 3]
        #expect(parameters.map(\.key) == ["a", "b"])
        #expect(parameters["a"] == 3)
        parameters["c"] = ["x": nil]
        parameters["a"] = nil as ParameterValue?
        #expect(parameters == ["c": ["x": nil] as Parameters, "b": 2])
        #expect(parameters.hashValue == (["c": ["x": nil] as Parameters, "b": 2] as Parameters).hashValue)
        #expect(parameters != ["c": ["x": nil] as Parameters, "b": 3])
        #expect(parameters["c"] == ["x": nil])
        let text = #"{"a":[1,2.5,"x",null,true,{"b":[]}]}"#
        let decoded = try JSONDecoder().decode(Parameters.self, from: Data(text.utf8))
        #expect(decoded == ["a": .array([1, 2.5, "x", nil, true, ["b": .array([])] as Parameters])])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(decoded), as: UTF8.self) == text)
    }
}

/// Tests of parameters created from JSON.
@Suite("Parameters from JSON")
struct ParametersOfJSONTests {
    @Test("A JSON object is converted to parameters and keeps its order and integers")
    func object() throws {
        let value = try JSONValue(parsing: #"{"z":1,"a":[1.5,null,"x",true],"n":1e400,"o":{"k":18446744073709551616}}"#)
        let parameters = Parameters(try #require(value.objectValue))
        #expect(parameters.map(\.key) == ["z", "a", "n", "o"])
        #expect(parameters["a"] == [1.5, nil, "x", true])
        #expect(parameters["n"] == .double(.infinity))
        #expect(parameters["o"] == ["k": .double(0x1p64)])
        #expect(try QueryEncoder.form.encode(["j": ParameterValue(JSONValue.array([1, 2]))]) == "j=1&j=2")
    }
}
