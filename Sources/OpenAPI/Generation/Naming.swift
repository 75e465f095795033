/// Names for tests and variables.
enum Naming {
    /// The words of an identifier: `listBooks`, `list_books` and `list-books` are `list`, `books`.
    static func words(_ identifier: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previousIsLower = false
        var characters = identifier[...]
        while let character = characters.popFirst() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                previousIsLower = false
                continue
            }
            // The last of several capitals begins a word where a small letter follows: `HTTPThing`.
            let beginsWord = !word.isEmpty && (characters.first?.isLowercase ?? false)
            if character.isUppercase, previousIsLower || beginsWord {
                words.append(word)
                word = ""
            }
            word.append(character)
            previousIsLower = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// A variable's name: `book_id` and `bookId` become `bookID`.
    static func variable(_ identifier: String) -> String {
        var name = ""
        for (position, word) in words(identifier).enumerated() {
            let ascii = String(word.filter { $0.isASCII })
            guard let first = ascii.first else { continue }
            let lower = ascii.lowercased()
            if position > 0, ["id", "url", "uuid", "isbn"].contains(lower) {
                name += lower.uppercased()
            } else if position == 0 || name.isEmpty {
                name += ascii == ascii.uppercased() ? lower : first.lowercased() + ascii.dropFirst()
            } else {
                name += first.uppercased() + ascii.dropFirst()
            }
        }
        guard let first = name.first else { return "value" }
        let reserved: Set = [
            "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
            "import", "let", "loop", "package", "namespace", "return", "var", "void", "while", "status", "headers",
            "body", "text", "cookies", "duration", "response", "steps", "tests", "url", "env", "date", "file", "size",
            "type", "double", "int", "string", "bool", "bytes", "list", "map", "dyn", "timestamp", "matches",
            "request", "hex", "base64", "json", "math", "strings", "optional",
        ]
        return first.isNumber || reserved.contains(name)
            ? name + "Value" == "Value" ? "value" : "the\(name.prefix(1).uppercased())\(name.dropFirst())" : name
    }

    /// An environment variable's name: `uploadURL` becomes `UPLOAD_URL`.
    static func environment(_ identifier: String) -> String {
        words(identifier).map { $0.uppercased() }.joined(separator: "_")
    }

    /// One of what a plural names: `books` gives `book`.
    static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us") && word.count > 3
            ? String(word.dropLast()) : word
    }

    /// What a test of an operation is called.
    static func test(_ operation: Operation) -> String {
        if let summary = operation.summary {
            let line = summary.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            let visible = String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter {
                        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
                    }))
            var text = visible.split(separator: " ").joined(separator: " ")
            while text.hasSuffix(".") { text.removeLast() }
            if !text.isEmpty { return String(text.prefix(100)) }
        }
        if let id = operation.id {
            let words = words(id)
            if !words.isEmpty {
                return words.map { $0.count > 1 && $0 == $0.uppercased() ? $0 : $0.lowercased() }.joined(separator: " ")
            }
        }
        return operation.title
    }

    /// The members in JSONPath (RFC 9535) of the tokens of a JSON Pointer.
    static func path(_ tokens: [String]) -> String {
        var path = "$"
        for token in tokens {
            if let index = Int(token), index >= 0 {
                path += "[\(index)]"
            } else if let first = token.unicodeScalars.first, first == "_" || first.properties.isAlphabetic,
                token.unicodeScalars.allSatisfy({
                    $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                })
            {
                path += ".\(token)"
            } else {
                let escaped = token.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
                path += "['\(String(escaped))']"
            }
        }
        return path
    }
}
