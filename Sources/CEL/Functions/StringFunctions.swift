import Basics

/// The strings extension, without the search methods.
enum StringFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("charAt") { text, index, state throws(CELFailure) in
            guard case .string(let text) = text else { throw .noOverload }
            try state.scan(text)
            let scalars = ScalarIndex(text)
            let position = try scalars.checked(index)
            return .string(position == scalars.count ? "" : scalars.slice(position, position + 1))
        }
        functions.method("join", counts: 0...1) { values, state throws(CELFailure) in try join(values, &state) }
        functions.method("replace", counts: 2...3) { values, state throws(CELFailure) in
            try replace(values, &state)
        }
        functions.method("split", counts: 1...2) { values, state throws(CELFailure) in try split(values, &state) }
        functions.method("substring", counts: 1...2) { values, state throws(CELFailure) in
            try substring(values, &state)
        }
        functions.method("trim") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            return try state.made(trimmed(text))
        }
        functions.method("lowerAscii") { value, state throws(CELFailure) in
            try mapped(value, &state) { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        }
        functions.method("upperAscii") { value, state throws(CELFailure) in
            try mapped(value, &state) { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
        }
        functions.method("reverse") { value, state throws(CELFailure) in
            switch value {
            case .string(let text):
                var scalars = String.UnicodeScalarView()
                scalars.append(contentsOf: text.unicodeScalars.reversed())
                return try state.made(String(scalars))
            case .list(let list): return try ListFunctions.reversed(list, &state)
            default: throw .noOverload
            }
        }
        functions.method("format") { value, arguments, state throws(CELFailure) in
            guard case .string(let format) = value, case .list(let list) = arguments else { throw .noOverload }
            try state.meter.step(list.count)
            return try StringFormatter.format(format, list.elements, &state)
        }
        functions.function("strings.quote") { value, state throws(CELFailure) in
            guard case .string(let text) = value else { throw .noOverload }
            return try state.made(Quoting.quoted(text))
        }
    }

    private static func mapped(
        _ value: CELValue, _ state: inout CallState, _ transform: (UInt8) -> UInt8
    ) throws(CELFailure) -> CELValue {
        guard case .string(let text) = value else { throw .noOverload }
        try state.meter.allocate(text.utf8.count)
        var bytes = Array(text.utf8)
        for index in bytes.indices { bytes[index] = transform(bytes[index]) }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    private static func join(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .list(let list) = values[0] else { throw .noOverload }
        var separator = ""
        if values.count > 1 {
            guard case .string(let text) = values[1] else { throw .noOverload }
            separator = text
        }
        var result = ""
        try state.meter.step(list.count)
        for position in 0..<list.count {
            guard case .string(let element)? = list[position] else {
                throw .message(
                    "join() requires a list of strings, but element \(position) is \(list[position]?.typeName ?? "none");"
                        + " to convert the elements, write list.map(x, string(x))")
            }
            if position > 0 { result += separator }
            result += element
            try state.meter.allocate(separator.utf8.count + element.utf8.count)
        }
        return .string(result)
    }

    private static func limit(_ values: [CELValue], _ index: Int) throws(CELFailure) -> Int {
        guard values.indices.contains(index) else { return -1 }
        guard case .int(let limit) = values[index] else { throw .noOverload }
        return limit < 0 ? -1 : Int(clamping: limit)
    }

    private static func replace(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let old) = values[1],
            case .string(let new) = values[2]
        else { throw .noOverload }
        var limit = try limit(values, 3)
        try state.scan(text)
        guard limit != 0 else { return values[0] }
        let replacement = Array(new.utf8)
        var result: [UInt8] = []
        if old.isEmpty {
            // The empty string matches before each character and at the end.
            for scalar in text.unicodeScalars {
                if limit != 0 {
                    try state.meter.allocate(replacement.count)
                    result += replacement
                    limit -= 1
                }
                result.append(contentsOf: String(scalar).utf8)
            }
            if limit != 0 { result += replacement }
            return try state.made(String(decoding: result, as: UTF8.self))
        }
        let search = TextSearch(old)
        let bytes = Array(text.utf8)
        var start = 0
        while limit != 0, let position = search.firstOffset(in: bytes, from: start) {
            try state.meter.allocate(replacement.count)
            try state.meter.step()
            result += bytes[start..<position]
            result += replacement
            start = position + search.part.count
            limit -= 1
        }
        result += bytes[start...]
        return try state.made(String(decoding: result, as: UTF8.self))
    }

    private static func split(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0], case .string(let separator) = values[1] else {
            throw .noOverload
        }
        let limit = try limit(values, 2)
        try state.scan(text)
        try state.meter.allocate(text.utf8.count)
        guard limit != 0 else { return .list(CELList([CELValue]())) }
        var parts: [CELValue] = []
        if separator.isEmpty {
            var rest = Substring(text).unicodeScalars
            while let first = rest.first, limit < 0 || parts.count < limit - 1 {
                try state.meter.allocate(elements: 1)
                parts.append(.string(String(first)))
                rest.removeFirst()
            }
            if !rest.isEmpty { parts.append(.string(String(rest))) }
            return .list(CELList(parts))
        }
        let search = TextSearch(separator)
        let bytes = Array(text.utf8)
        var start = 0
        while limit < 0 || parts.count < limit - 1, let position = search.firstOffset(in: bytes, from: start) {
            try state.meter.allocate(elements: 1)
            parts.append(.string(String(decoding: bytes[start..<position], as: UTF8.self)))
            start = position + search.part.count
        }
        parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
        return .list(CELList(parts))
    }

    private static func substring(_ values: [CELValue], _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .string(let text) = values[0] else { throw .noOverload }
        try state.scan(text)
        let scalars = ScalarIndex(text)
        let start = try scalars.checked(values[1])
        let end = values.count > 2 ? try scalars.checked(values[2]) : scalars.count
        guard start <= end else {
            throw .message("the start of a substring must not exceed its end, got \(start) and \(end)")
        }
        return try state.made(scalars.slice(start, end))
    }

    /// Returns a string without leading and trailing white space, as defined by Unicode.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        var end = scalars.endIndex
        while end > start {
            let previous = scalars.index(before: end)
            guard scalars[previous].properties.isWhitespace else { break }
            end = previous
        }
        return String(scalars[start..<end])
    }
}
