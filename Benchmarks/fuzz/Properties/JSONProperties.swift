import JSON

/// The properties of any bytes that are parsed as JSON.
enum JSONProperties {
    private static let maximumDepth = 100
    /// The maximum number of values of a document that are checked one by one.
    private static let maximumNodeCount = 64

    static func check(_ input: [UInt8]) throws(PropertyViolation) {
        let limits = JSONParser.Limits(maximumDepth: maximumDepth)
        let reference = ReferenceJSONReader.read(input, maximumDepth: maximumDepth)
        let value: JSONValue
        do {
            value = try JSONParser(limits: limits).parse(input)
        } catch {
            try require(reference == nil, "valid JSON is refused: \(error)")
            try require(error.byteOffset >= 0 && error.byteOffset <= input.count, "the error is elsewhere: \(error)")
            try require(error.line >= 1 && error.column >= 1 && !error.message.isEmpty, "no place: \(error)")
            return
        }
        guard let reference else { throw PropertyViolation("invalid JSON is read as \(value)") }
        try require(value == reference, "read as \(value) instead of \(reference)")
        try require(value.hashValue == reference.hashValue, "equal values have two hashes: \(value)")
        try require(value.serialized() == reference.serialized(), "order or digits are lost: \(value)")
        try checkDuplicates(input, value, limits)
        try checkWriting(value)
        let nodes = JSONNode.nodes(of: value, limit: maximumNodeCount)
        try checkLocations(nodes, in: value)
        try checkDifferences(nodes, value)
        try checkMergePatch(nodes, value)
        try NumberProperties.check(nodes.compactMap(\.value.numberValue))
    }

    /// Checks that the policies for duplicate members agree on texts without them and on invalid JSON.
    private static func checkDuplicates(
        _ input: [UInt8], _ value: JSONValue, _ limits: JSONParser.Limits
    ) throws(PropertyViolation) {
        guard let first = try? JSONParser(limits: limits, duplicateMembers: .keepFirst).parse(input) else {
            throw PropertyViolation("refused only when the first member of a name counts")
        }
        if let unique = try? JSONParser(limits: limits, duplicateMembers: .reject).parse(input) {
            try require(unique == value && first == value, "read in different ways without a repeated member")
        }
    }

    private static func checkWriting(_ value: JSONValue) throws(PropertyViolation) {
        let parser = JSONParser(limits: JSONParser.Limits(maximumDepth: maximumDepth))
        let canonical = value.serializedBytes(.sorted)
        for format in [JSONFormat.compact, .pretty, .sorted, .prettySorted] {
            let text = value.serializedBytes(format)
            let again: JSONValue
            do {
                again = try parser.parse(text)
            } catch {
                throw PropertyViolation("what is written is no JSON: \(error)")
            }
            try require(again == value, "\(value) is written as \(String(decoding: text, as: UTF8.self))")
            try require(again.serializedBytes(format) == text, "written in another way the second time: \(value)")
            try require(again.serializedBytes(.sorted) == canonical, "the sorted text changes: \(value)")
        }
    }

    private static func checkLocations(_ nodes: [JSONNode], in document: JSONValue) throws(PropertyViolation) {
        for node in nodes {
            let text = node.pointer.description
            guard let pointer = try? JSONPointer(text) else {
                throw PropertyViolation("the JSON Pointer \(text) cannot be read")
            }
            try require(pointer == node.pointer, "the JSON Pointer \(text) is read as \(pointer.tokens)")
            // Every byte may be percent-encoded.
            let hexadecimal = Array("0123456789ABCDEF")
            let fragment = text.utf8.map { byte in "%\(hexadecimal[Int(byte >> 4)])\(hexadecimal[Int(byte & 15)])" }
            guard let decoded = try? JSONPointer(uriFragment: fragment.joined()) else {
                throw PropertyViolation("the fragment of the JSON Pointer \(text) cannot be read")
            }
            try require(decoded == pointer, "the fragment of the JSON Pointer \(text) is read as \(decoded)")
            guard let found = pointer.evaluate(in: document) else {
                throw PropertyViolation("the JSON Pointer \(text) leads nowhere")
            }
            try require(found == node.value, "the JSON Pointer \(text) leads to \(found)")
        }
    }

    private static func checkDifferences(_ nodes: [JSONNode], _ document: JSONValue) throws(PropertyViolation) {
        try require(JSONDifference(expected: document, actual: document).isEmpty, "differs from itself: \(document)")
        // Neighbors in document order are often of the same kind: elements of an array or members of an object.
        for (node, next) in zip(nodes, nodes.dropFirst()).prefix(24) {
            let difference = JSONDifference(expected: node.value, actual: next.value)
            try require(
                difference.isEmpty == (node.value == next.value),
                "\(difference.changes.count) differences between \(node.value) and \(next.value)")
            for change in difference.changes.prefix(16) {
                try check(change, between: node.value, and: next.value)
            }
        }
    }

    private static func check(
        _ change: JSONDifference.Change, between expected: JSONValue, and actual: JSONValue
    ) throws(PropertyViolation) {
        let what = "\(change.kind.rawValue) at \(change.path) between \(expected) and \(actual)"
        switch change.kind {
        case .changed:
            try require(change.expected != nil && change.expected != change.actual, "no change: \(what)")
            try require(change.location.value(in: actual) == change.actual, "elsewhere: \(what)")
        case .unexpected:
            try require(change.expected == nil && change.actual != nil, "not unexpected: \(what)")
            try require(change.location.value(in: actual) == change.actual, "elsewhere: \(what)")
        case .missing:
            try require(change.expected != nil && change.actual == nil, "not missing: \(what)")
        case .moved:
            try require(change.expected != nil && change.actual != nil, "not moved: \(what)")
            try require(change.location.value(in: actual) == change.actual, "elsewhere: \(what)")
            try require(change.origin?.value(in: expected) == change.expected, "from elsewhere: \(what)")
        }
    }

    /// Checks the laws of RFC 7396: a non-object replaces, `{}` changes no object, and applying twice has no further effect.
    private static func checkMergePatch(_ nodes: [JSONNode], _ document: JSONValue) throws(PropertyViolation) {
        if document.objectValue != nil {
            try require(document.mergePatched(with: [:]) == document, "{} changes \(document)")
        }
        for node in nodes.prefix(16) {
            let patched = document.mergePatched(with: node.value)
            if node.value.objectValue == nil {
                try require(patched == node.value, "\(node.value) does not replace \(document)")
            }
            try require(
                patched.mergePatched(with: node.value) == patched,
                "applying \(node.value) to \(document) a second time changes more")
        }
    }
}
