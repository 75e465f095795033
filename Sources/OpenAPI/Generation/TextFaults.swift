import JSON

/// Whether values that do not follow a schema are wrong as text too: in paths, queries, headers, cookies and forms all is text.
struct TextFaults {
    let sampler: SchemaSampler
    let schema: DescriptionNode
    /// Whether a member with a value is written as JSON, where types are seen.
    var isJSON: (_ name: String, _ value: JSONValue) -> Bool = { _, _ in false }

    /// Whether a value is wrong however its texts are read.
    ///
    /// - Parameter right: The value that it was made of, which follows the schema.
    func isWrong(_ wrong: JSONValue, besides right: JSONValue) -> Bool {
        guard let readings = readings(wrong, right, isRoot: true) else { return false }
        return readings.allSatisfy { !sampler.accepts($0, schema) }
    }

    /// The values that a server may read; nil where the fault is lost on the way.
    private func readings(_ wrong: JSONValue, _ right: JSONValue?, isRoot: Bool = false) -> [JSONValue]? {
        switch (wrong, right) {
        case (.object(let object), .object(let other)):
            // Where nothing is sent, nothing is wrong.
            if object.isEmpty { return nil }
            let changed = object.filter { other[$0.key] != $0.value }
            guard let (name, part) = changed.first, changed.count == 1 else { return [wrong] }
            if isRoot, isJSON(name, other[name] ?? part) { return [wrong] }
            return readings(part, other[name])?.map { reading in
                var whole = object
                whole[name] = reading
                return .object(whole)
            }
        case (.array(let elements), .array(let others)):
            if elements.isEmpty { return nil }
            let changed = elements.indices.filter { others.indices.contains($0) && others[$0] != elements[$0] }
            guard let index = changed.first, changed.count == 1, elements.count == others.count else { return [wrong] }
            return readings(elements[index], others[index])?.map { reading in
                var whole = elements
                whole[index] = reading
                return .array(whole)
            }
        case (.object(let object), nil): return object.isEmpty ? nil : parts(of: object)
        case (.array(let elements), nil):
            guard let first = elements.first else { return nil }
            return readings(first, nil)?.map { .array([$0] + elements.dropFirst()) }
        case (.null, _), (.bool, _), (.array, _), (.object, _): return nil
        // A text is as good as an array of it, and of an object nothing would be sent.
        case (_, .array), (_, .object): return nil
        case (.number(let number), _):
            // All texts are what they are: numbers are no fault.
            if right?.stringValue != nil { return nil }
            return [wrong, .string(number.literal)]
        case (.string(let text), _):
            // An empty text is no value for many servers.
            if text.isEmpty || text.unicodeScalars.contains(where: { $0.value < 0x20 }) { return nil }
            return [wrong] + (JSONNumber(literal: text).map { [.number($0)] } ?? [])
        }
    }

    /// The readings of an object that was added with one fault in it: of each member its own, and all others as they are.
    private func parts(of object: JSONObject) -> [JSONValue]? {
        var result: [JSONValue] = [.object(object)]
        for (name, part) in object {
            guard let readings = readings(part, nil) else { return nil }
            for reading in readings.dropFirst() {
                var whole = object
                whole[name] = reading
                result.append(.object(whole))
            }
        }
        return result
    }
}
