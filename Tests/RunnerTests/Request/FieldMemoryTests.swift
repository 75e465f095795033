import HTTPSession
import RunModel
import Testing

@testable import Runner

struct FieldMemoryTests {
    @Test func fieldsAreThoseOfTheHeaderThatIsAskedFor() {
        let memory = FieldMemory()
        let first: HTTPHeaders = ["Accept": "*/*", "X-Number": "1"]
        var second = first
        second.set(name: "X-Number", value: "2")
        for headers in [first, first, second, first, second, second, HTTPHeaders(), first] {
            #expect(memory.fields(headers) == headers.fields.map { HeaderField(name: $0.name, value: $0.value) })
        }
    }

    @Test func aHeaderThatIsChangedIsAnother() {
        let memory = FieldMemory()
        var headers: HTTPHeaders = ["X-Number": "0"]
        for number in 0..<10 {
            headers.set(name: "X-Number", value: String(number))
            #expect(memory.fields(headers) == [HeaderField(name: "X-Number", value: String(number))])
        }
    }
}
