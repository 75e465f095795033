import FoundationEssentials
import HTTPSession
import Testing

/// Tests of the query strings that AFNetworking and Alamofire produce for parameters.
@Suite("Query dialects")
struct QueryDialectTests {
    /// Parameters, AFNetworking's query, and Alamofire's query.
    static let table: [(Parameters, String, String)] = [
        ([:], "", ""),
        (["a": "b"], "a=b", "a=b"),
        (["b": 2, "a": 1, "C": 3], "C=3&a=1&b=2", "C=3&a=1&b=2"),
        (
            [
                "name": "bang", "phone": ["mobile": "xx", "home": "xx"], "families": ["father", "mother"],
                "nums": .set([2, 1]),
            ],
            "families%5B%5D=father&families%5B%5D=mother&name=bang&nums=1&nums=2&phone%5Bhome%5D=xx&phone%5Bmobile%5D=xx",
            "families%5B%5D=father&families%5B%5D=mother&name=bang&nums%5B%5D=1&nums%5B%5D=2&phone%5Bhome%5D=xx"
                + "&phone%5Bmobile%5D=xx"
        ),
        // The order of an array is preserved.
        (["k": ["c", "a", "b"]], "k%5B%5D=c&k%5B%5D=a&k%5B%5D=b", "k%5B%5D=c&k%5B%5D=a&k%5B%5D=b"),
        // Sets are sorted as strings, not as numbers.
        (["k": .set([10, 9, 2])], "k=10&k=2&k=9", "k%5B%5D=10&k%5B%5D=2&k%5B%5D=9"),
        (["k": nil, "l": "x"], "k&l=x", "l=x"),
        (["k": [1, nil, 2]], "k%5B%5D=1&k%5B%5D&k%5B%5D=2", "k%5B%5D=1&k%5B%5D=2"),
        (["k": .array([])], "", ""),
        (["k": Parameters(), "l": .array([.array([])])], "", ""),
        (["t": true, "f": false], "f=0&t=1", "f=0&t=1"),
        (
            ["a": 1.5, "b": 5.0, "c": 0.1, "d": -2.0, "e": 1e20], "a=1.5&b=5&c=0.1&d=-2&e=1e%2B20",
            "a=1.5&b=5.0&c=0.1&d=-2.0&e=1e%2B20"
        ),
        (
            ["at": .date(Date(timeIntervalSinceReferenceDate: 123.456))], "at=2001-01-01%2000%3A02%3A03%20%2B0000",
            "at=123.456"
        ),
        (
            ["d": .data([1, 2, 0xAB])], "d=%7Blength%20%3D%203%2C%20bytes%20%3D%200x0102ab%7D", "d=AQKr"
        ),
        (["d": .data(Array("data".utf8))], "d=%7Blength%20%3D%204%2C%20bytes%20%3D%200x64617461%7D", "d=ZGF0YQ%3D%3D"),
        (
            ["reserved": ":#[]@!$&'()*+,;=", "kept": "?/-._~"],
            "kept=?/-._~&reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D",
            "kept=?/-._~&reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"
        ),
        (
            ["illegal": " \"#%<>[]\\^`{}|"], "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C",
            "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C"
        ),
        (["foo&bar": "baz&qux"], "foo%26bar=baz%26qux", "foo%26bar=baz%26qux"),
        (["?foo?": "/bar/"], "?foo?=/bar/", "?foo?=/bar/"),
        ([" foo ": " bar "], "%20foo%20=%20bar%20", "%20foo%20=%20bar%20"),
        (["percent%": "%25"], "percent%25=%2525", "percent%25=%2525"),
        (
            ["e": "\u{1F474}\u{1F3FB}"], "e=%F0%9F%91%B4%F0%9F%8F%BB", "e=%F0%9F%91%B4%F0%9F%8F%BB"
        ),
        (["ä": "日本"], "%C3%A4=%E6%97%A5%E6%9C%AC", "%C3%A4=%E6%97%A5%E6%9C%AC"),
        (
            ["a": ["b": ["c": "d"]], "l": [["x": 1, "w": 2], ["x": 3]]],
            "a%5Bb%5D%5Bc%5D=d&l%5B%5D%5Bw%5D=2&l%5B%5D%5Bx%5D=1&l%5B%5D%5Bx%5D=3",
            "a%5Bb%5D%5Bc%5D=d&l%5B%5D%5Bw%5D=2&l%5B%5D%5Bx%5D=1&l%5B%5D%5Bx%5D=3"
        ),
        (
            ["l": [[1, 2], [3]]], "l%5B%5D%5B%5D=1&l%5B%5D%5B%5D=2&l%5B%5D%5B%5D=3",
            "l%5B%5D%5B%5D=1&l%5B%5D%5B%5D=2&l%5B%5D%5B%5D=3"
        ),
        (["d": ["s": .set(["b", "a"])] as Parameters], "d%5Bs%5D=a&d%5Bs%5D=b", "d%5Bs%5D%5B%5D=a&d%5Bs%5D%5B%5D=b"),
        // Alamofire sorts the encoded pairs, where "%" precedes "=", and AFNetworking sorts the names.
        (["a": 1, "a[": 2, "b": 3], "a=1&a%5B=2&b=3", "a%5B=2&a=1&b=3"),
    ]

    @Test("Each preset encodes parameters as its library does", arguments: table.indices)
    func presets(index: Int) throws {
        let (parameters, afNetworking, alamofire) = Self.table[index]
        #expect(try QueryEncoder.afNetworking.encode(parameters) == afNetworking)
        #expect(try QueryEncoder.alamofire.encode(parameters) == alamofire)
        // The same values, encoded with `Encodable` instead of as parameters.
        #expect(try QueryEncoder.alamofire.encode(Wrapper(parameters)) == alamofire)
    }

    /// A value that encodes its contents through the containers of an encoder.
    struct Wrapper: Encodable {
        var parameters: Parameters

        init(_ parameters: Parameters) { self.parameters = parameters }

        func encode(to encoder: any Encoder) throws {
            try parameters.encode(to: encoder)
        }
    }

    @Test("Data is described as Foundation describes it, and long data is abbreviated")
    func longData() throws {
        let bytes = (0..<40).map { UInt8($0) }
        let text = try QueryEncoder(data: .description, allowedCharacters: .alphanumerics(and: "{}=, .")).encode([
            "d": .data(bytes)
        ])
        #expect(
            text.replacing("%20", with: " ")
                == "d={length = 40, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 20212223 24252627 }")
    }

    @Test("The alamofireSortingArrays preset sorts array elements")
    func sortedArrays() throws {
        let parameters: Parameters = ["k": ["c", "a", "b"], "a": [["z": 1], ["y": 2]]]
        #expect(
            try QueryEncoder.alamofireSortingArrays.encode(parameters)
                == "a%5B%5D%5By%5D=2&a%5B%5D%5Bz%5D=1&k%5B%5D=a&k%5B%5D=b&k%5B%5D=c")
    }

    @Test("The form preset keeps the order of parameters and encodes spaces as plus signs")
    func browserForm() throws {
        let parameters: Parameters = ["z": "a b", "a": ["*-._", "~+"], "n": nil]
        #expect(try QueryEncoder.form.encode(parameters) == "z=a+b&a=*-._&a=%7E%2B&n=")
    }
}
