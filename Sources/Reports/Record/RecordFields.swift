import JSON

/// The members of an object of a record, by their types; members that are not asked for are passed over.
struct RecordFields {
    private let object: JSONObject

    /// Takes a value that must be an object.
    init(_ value: JSONValue, member: String? = nil) throws(RecordProblem) {
        guard case .object(let object) = value else { throw RecordProblem("an object is expected", member: member) }
        self.object = object
    }

    /// A member's value; nil when it is absent or null.
    subscript(_ name: String) -> JSONValue? {
        guard let value = object[name] else { return nil }
        if case .null = value { return nil }
        return value
    }

    /// A member's value, which may be null; nil when it is absent.
    func value(_ name: String) -> JSONValue? { object[name] }

    // MARK: Members that may be absent

    func optionalString(_ name: String) throws(RecordProblem) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw RecordProblem("\"\(name)\" is no text", member: name) }
        return text
    }

    func optionalInteger(_ name: String) throws(RecordProblem) -> Int64? {
        guard let value = self[name] else { return nil }
        guard case .number(let number) = value, let integer = number.int64 else {
            throw RecordProblem("\"\(name)\" is no integer", member: name)
        }
        return integer
    }

    /// An integer from 0 up to what an `Int32` holds; nil when it is absent.
    func optionalCount(_ name: String) throws(RecordProblem) -> Int? {
        self[name] == nil ? nil : try count(name)
    }

    /// A time or duration in nanoseconds.
    ///
    /// More than three years is refused: no run takes that, and sums of such numbers must not overflow.
    func optionalNanoseconds(_ name: String) throws(RecordProblem) -> Int64? {
        guard let time = try optionalInteger(name) else { return nil }
        guard time.magnitude <= 100_000_000_000_000_000 else {
            throw RecordProblem("\"\(name)\" is \(time) nanoseconds", member: name)
        }
        return time
    }

    /// A flag; false when it is absent.
    func flag(_ name: String) throws(RecordProblem) -> Bool {
        guard let value = self[name] else { return false }
        guard case .bool(let flag) = value else { throw RecordProblem("\"\(name)\" is no boolean", member: name) }
        return flag
    }

    func optionalObject(_ name: String) throws(RecordProblem) -> RecordFields? {
        guard let value = self[name] else { return nil }
        return try RecordFields(value, member: name)
    }

    /// The elements of an array; none when it is absent.
    func array(_ name: String) throws(RecordProblem) -> [JSONValue] {
        guard let value = self[name] else { return [] }
        guard case .array(let elements) = value else { throw RecordProblem("\"\(name)\" is no array", member: name) }
        return elements
    }

    /// The elements of an array of objects, made into something.
    func objects<Element>(
        _ name: String, _ make: (RecordFields) throws(RecordProblem) -> Element
    ) throws(RecordProblem) -> [Element] {
        var result: [Element] = []
        for element in try array(name) { result.append(try make(try RecordFields(element, member: name))) }
        return result
    }

    /// The elements of an array of texts.
    func strings(_ name: String) throws(RecordProblem) -> [String] {
        var result: [String] = []
        for element in try array(name) {
            guard case .string(let text) = element else {
                throw RecordProblem("\"\(name)\" holds something that is no text", member: name)
            }
            result.append(text)
        }
        return result
    }

    // MARK: Members that must be there

    func string(_ name: String) throws(RecordProblem) -> String {
        guard let text = try optionalString(name) else { throw RecordProblem("\"\(name)\" is missing") }
        return text
    }

    func integer(_ name: String) throws(RecordProblem) -> Int64 {
        guard let integer = try optionalInteger(name) else { throw RecordProblem("\"\(name)\" is missing") }
        return integer
    }

    /// An integer from 0 up to what an `Int32` holds; one beyond is an error.
    func count(_ name: String) throws(RecordProblem) -> Int {
        guard let value = try optionalInteger(name) else { throw RecordProblem("\"\(name)\" is missing") }
        guard value >= 0, value <= Int64(Int32.max) else {
            throw RecordProblem("\"\(name)\" is \(value)", member: name)
        }
        return Int(value)
    }

    /// A time or duration in nanoseconds.
    func nanoseconds(_ name: String) throws(RecordProblem) -> Int64 {
        guard let time = try optionalNanoseconds(name) else { throw RecordProblem("\"\(name)\" is missing") }
        return time
    }

    func object(_ name: String) throws(RecordProblem) -> RecordFields {
        guard let object = try optionalObject(name) else { throw RecordProblem("\"\(name)\" is missing") }
        return object
    }
}
