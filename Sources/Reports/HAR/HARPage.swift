/// The identifier of a test's page in an HTTP Archive, such as `test_1_2`.
struct HARPage {
    /// The number of the suite, from 1.
    let suite: Int
    /// The number of the test in its suite, from 1.
    let test: Int

    /// The most bytes of the identifier as a string.
    static let longest = 48

    /// Appends the identifier as a string.
    func write(into json: inout JSONText) {
        json.raw { output in output.append(upTo: Self.longest) { write(into: &$0) } }
    }

    /// Writes the identifier as a string.
    @inline(__always)
    func write(into text: inout ByteWriter) {
        text.write("\"test_")
        text.write(suite)
        text.write("_")
        text.write(test)
        text.write("\"")
    }
}
