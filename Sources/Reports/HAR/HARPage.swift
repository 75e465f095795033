/// The identifier of a test's page in an HTTP Archive, such as `test_1_2`.
struct HARPage {
    /// The number of the suite, from 1.
    let suite: Int
    /// The number of the test in its suite, from 1.
    let test: Int

    /// Appends the identifier as a string.
    func write(into json: inout JSONText) {
        json.raw { output in
            output.append("\"test_")
            DecimalText.append(Int64(suite), to: &output)
            output.append("_")
            DecimalText.append(Int64(test), to: &output)
            output.append("\"")
        }
    }
}
