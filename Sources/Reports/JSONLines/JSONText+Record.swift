import JSON

/// Members of a record's lines, of which those that have nothing to say are left out.
extension JSONText {
    /// Appends a member with a text, unless there is none.
    mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    mutating func member(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    mutating func member(_ name: StaticString, _ number: JSONNumber) {
        key(name)
        self.number(number)
    }

    /// Appends a member with texts, unless there are none.
    mutating func member(_ name: StaticString, _ texts: [String]) {
        if texts.isEmpty { return }
        beginArray(name)
        for text in texts { string(text) }
        endArray()
    }

    /// Appends a member with a text that is not cut.
    mutating func whole(_ name: StaticString, _ text: String) {
        member(name, text, limit: .max)
    }

    /// Appends a member with a value; of one that is too long the first bytes of its JSON text, as a text.
    ///
    /// - Returns: Whether the value was too long.
    mutating func member(_ name: StaticString, _ value: JSONValue) -> Bool {
        key(name)
        if case .string(let text) = value {
            string(text)
            return false
        }
        let text = value.serializedBytes()
        guard text.count > JSONTextStyle.longestRecordedText else {
            raw(text)
            return false
        }
        string(String(decoding: text.prefix(JSONTextStyle.longestRecordedText), as: UTF8.self))
        return true
    }
}
