import JSON
import Testing

@testable import SuiteLoader

@Suite("CSV columns")
struct ColumnHeaderTests {
    @Test(
        "A header defines a column and its type",
        arguments: [
            ("title", DataColumn(name: "title")),
            ("count:int", DataColumn(name: "count", type: .integer)),
            ("count:integer?", DataColumn(name: "count", type: .integer, isOptional: true)),
            ("price:number", DataColumn(name: "price", type: .number)),
            ("sold:bool", DataColumn(name: "sold", type: .boolean)),
            ("sold:boolean", DataColumn(name: "sold", type: .boolean)),
            ("tags:json", DataColumn(name: "tags", type: .json)),
            ("note?", DataColumn(name: "note", isOptional: true)),
            ("note:text", DataColumn(name: "note")),
        ])
    func headers(_ text: String, _ expected: DataColumn) throws {
        #expect(try ColumnHeader.column(text) == expected)
    }

    @Test(
        "An invalid header is rejected with the reason",
        arguments: ["", "a b", "status", "count:in", "1st", ":int", "in"])
    func wrongHeaders(_ text: String) {
        #expect(throws: ColumnHeader.Problem.self) { try ColumnHeader.column(text) }
    }

    @Test(
        "Fields are converted to the type of their column",
        arguments: [
            ("a", "12", JSONValue.string("12")), ("a", "", .string("")), ("a:int", "12", 12), ("a:int", "-3", -3),
            ("a:int", "12345678901234567890", .number(JSONNumber(literal: "12345678901234567890") ?? 0)),
            ("a:number", "1.50", .number(JSONNumber(literal: "1.50") ?? 0)), ("a:bool", "TRUE", true),
            ("a:bool", "false", false), ("a:json", "[1, \"b\"]", [1, "b"]), ("a:int?", "", .null), ("a?", "", .null),
            ("a:json?", "", .null),
        ] as [(String, String, JSONValue)])
    func values(_ header: String, _ text: String, _ expected: JSONValue) throws {
        #expect(try ColumnHeader.column(header).value(of: text, isQuoted: false) == expected)
    }

    @Test(
        "Fields that do not match the type of their column have no value",
        arguments: [
            ("a:int", "1.5"), ("a:int", ""), ("a:int", " 1"), ("a:int", "+1"), ("a:int", "007"), ("a:number", "1,5"),
            ("a:bool", "yes"), ("a:json", "{"), ("a:int", "1e3"),
        ])
    func wrongValues(_ header: String, _ text: String) throws {
        #expect(try ColumnHeader.column(header).value(of: text, isQuoted: false) == nil)
    }

    @Test("An empty quoted field is not null")
    func quotedEmpty() throws {
        #expect(try ColumnHeader.column("a?").value(of: "", isQuoted: true) == .string(""))
        #expect(try ColumnHeader.column("a:int?").value(of: "", isQuoted: true) == .null)
    }
}
