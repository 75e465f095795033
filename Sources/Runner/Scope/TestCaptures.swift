import CEL

/// What a finished test leaves for the tests that depend on it.
struct TestCaptures: Sendable {
    /// Captured values by name; a later capture of the same name replaces an earlier one.
    var values: [(name: String, value: CELValue)] = []
    /// The last exchange as `tests.ID` gives it, kept only where a test reads it.
    var exchange: CELValue?

    /// The value captured under the name.
    func value(of name: String) -> CELValue? {
        values.last { $0.name == name }?.value
    }
}
