/// The violations found so far, up to a bound.
struct ViolationList {
    private(set) var violations: [JSONSchemaViolation] = []
    let limit: Int

    /// Whether looking for more is of no use.
    var isFull: Bool { violations.count >= limit }

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a violation while there is room.
    mutating func append(_ violation: @autoclosure () -> JSONSchemaViolation) {
        if !isFull { violations.append(violation()) }
    }
}
