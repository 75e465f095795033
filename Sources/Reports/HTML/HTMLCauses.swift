import SuiteModel

/// The causes of the failures in a page, by which its overview groups them.
struct HTMLCauses {
    private var causes = FailureCauses()
    /// For each failure, in the order of the rows, the number of its cause; -1 where it has one of its own.
    private var numbers: [Int32] = []

    /// Adds a failure.
    mutating func add(_ result: TestResult) {
        numbers.append(causes.add(result)?.index.map { Int32(clamping: $0) } ?? -1)
    }

    /// Writes the numbers, null for a cause of its own.
    func write(into json: inout JSONText) {
        json.breakLineBeforeComma()
        json.key("causes")
        json.beginArray()
        for number in numbers { json.integer(number < 0 ? nil : Int(number)) }
        json.endArray()
    }
}
