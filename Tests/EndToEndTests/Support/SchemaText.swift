/// Information extracted from the text of the program's JSON Schema.
enum SchemaText {
    /// Returns whether a text contains an object key.
    static func holds(_ text: String, key: String) -> Bool {
        var rest = text[...]
        while let found = rest.firstRange(of: key) {
            let before = found.lowerBound == text.startIndex ? " " : text[text.index(before: found.lowerBound)]
            let behind = text[found.upperBound...]
            if !before.isLetter && !before.isNumber, behind.hasPrefix(":") || behind.hasPrefix("\":") { return true }
            rest = behind
        }
        return false
    }

    /// Returns the names of all properties that the schema describes and does not forbid.
    static func propertyNames(in schema: String) -> [String] {
        var names: Set<String> = []
        var levels: [Int] = []
        var name: String?
        for line in schema.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indentation)
            while let level = levels.last, indentation <= level { levels.removeLast() }
            if text == "\"properties\": {" {
                levels.append(indentation)
            } else if let level = levels.last, indentation == level + 2, let end = text.dropFirst().firstIndex(of: "\"")
            {
                name = String(text.dropFirst()[..<end])
            } else if let found = name {
                if !text.hasPrefix("\"description\": \"Not supported yet") { names.insert(found) }
                name = nil
            }
        }
        return names.sorted()
    }
}
