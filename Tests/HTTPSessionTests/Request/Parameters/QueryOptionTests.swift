import FoundationEssentials
import HTTPSession
import Testing

/// Tests of each option of the query encoder.
@Suite("Query options")
struct QueryOptionTests {
    static let date = Date(timeIntervalSinceReferenceDate: 123.456)

    /// An encoder, parameters, and the encoded query.
    static let table: [(QueryEncoder, Parameters, String)] = [
        (.init(arrays: .noBrackets), ["array": [1, 2]], "array=1&array=2"),
        (
            .init(arrays: .indexInBrackets), ["a": .array([1, [2, 3]])],
            "a%5B0%5D=1&a%5B1%5D%5B0%5D=2&a%5B1%5D%5B1%5D=3"
        ),
        (.init(arrays: .indexInBrackets), ["a": [nil, 5]], "a%5B0%5D=5"),
        (.init(arrays: .indexInBrackets), ["a": [nil, ["x": 5, "y": 6]]], "a%5B0%5D%5Bx%5D=5&a%5B0%5D%5By%5D=6"),
        (.init(arrays: .custom { "\($0).\($1 + 1)" }), ["array": [1, 2]], "array.1=1&array.2=2"),
        (.init(sets: .repeatedKey), ["s": .set([2, 1])], "s=1&s=2"),
        (.init(bools: .literal), ["bool": true, "no": false], "bool=true&no=false"),
        (.init(numbers: .sixteenDigits), ["a": 5.0], "a=5"),
        (.init(data: .deferredToData), ["data": .data([100, 97])], "data%5B%5D=100&data%5B%5D=97"),
        (.init(data: .custom { "\($0.count)" }), ["data": .data([100, 97])], "data=2"),
        (.init(dates: .secondsSince1970), ["date": .date(date)], "date=978307323.456"),
        (.init(dates: .millisecondsSince1970), ["date": .date(date)], "date=978307323456.0"),
        (.init(dates: .iso8601), ["date": .date(date)], "date=2001-01-01T00%3A02%3A03Z"),
        (
            .init(dates: .iso8601), ["date": .date(Date(timeIntervalSinceReferenceDate: 3.9996))],
            "date=2001-01-01T00%3A00%3A04Z"
        ),
        (
            .init(dates: .formatted(Date.ISO8601FormatStyle().year().month().day())), ["date": .date(date)],
            "date=2001-01-01"
        ),
        (.init(dates: .custom { "\(Int($0.timeIntervalSinceReferenceDate))" }), ["date": .date(date)], "date=123"),
        (.init(keys: .convertToSnakeCase), ["oneTwoThree": 1], "one_two_three=1"),
        (.init(keys: .convertToSnakeCase), ["myURLPath": ["innerKey": 1]], "my_url_path%5Binner_key%5D=1"),
        (.init(keys: .convertToSnakeCase), ["_leading": 1, "A": 2, "": 3, "theEND": 4], "=3&_leading=1&a=2&the_end=4"),
        (.init(keys: .convertToKebabCase), ["oneTwoThree": 1], "one-two-three=1"),
        (.init(keys: .capitalized), ["oneTwo": ["three": 1]], "OneTwo%5Bthree%5D=1"),
        (.init(keys: .uppercased), ["oneTwo": 1], "ONETWO=1"),
        (.init(keys: .lowercased), ["oneTwo": 1], "onetwo=1"),
        (.init(keys: .custom { _ in "A" }), ["oneTwo": 1], "A=1"),
        (.init(keyPaths: .dots), ["a": ["b": "b"]], "a.b=b"),
        (.init(keyPaths: .custom { "-\($0)" }), ["a": ["b": "b"]], "a-b=b"),
        (.init(nils: .dropKey), ["one": "one", "two": nil], "one=one"),
        (.init(nils: .dropValue), ["one": "one", "two": nil], "one=one&two="),
        (.init(nils: .null), ["one": "one", "two": nil], "one=one&two=null"),
        (.init(nils: .bareKey), ["one": "one", "two": nil], "one=one&two"),
        (.init(nils: .custom { "none" }), ["two": nil], "two=none"),
        (.init(nils: .custom { nil }), ["two": nil], ""),
        (.init(spaces: .plusReplaced), ["spaces": "replace with + spaces"], "spaces=replace+with+%2B+spaces"),
        (.init(sorting: .none), ["b": 1, "a": ["d": 2, "c": 3] as Parameters], "b=1&a%5Bd%5D=2&a%5Bc%5D=3"),
        (.init(sorting: .keys), ["b": 1, "a": ["d": 2, "c": 3] as Parameters], "a%5Bc%5D=3&a%5Bd%5D=2&b=1"),
        (.init(allowedCharacters: .unreserved), ["allowed": "?/~"], "allowed=%3F%2F~"),
        (.init(allowedCharacters: .alphanumerics(and: "")), ["a": "-"], "a=%2D"),
    ]

    @Test("Each option changes the output as documented", arguments: table.indices)
    func options(index: Int) throws {
        let (encoder, parameters, text) = Self.table[index]
        #expect(try encoder.encode(parameters) == text)
    }

    struct Failure: Error {}

    @Test("Errors thrown by custom encodings are rethrown")
    func customFailure() {
        #expect(throws: Failure.self) {
            try QueryEncoder(data: .custom { _ in throw Failure() }).encode(["d": .data([1])])
        }
        #expect(throws: Failure.self) {
            try QueryEncoder(dates: .custom { _ in throw Failure() }).encode(["d": .date(Self.date)])
        }
    }
}
