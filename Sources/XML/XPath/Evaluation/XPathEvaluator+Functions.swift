import CLibXML2

/// The core function library (XPath 1.0, section 4).
extension XPathEvaluator {
    /// Calls a function; the parser has validated the number of arguments.
    func call(
        _ name: XPathFunction.Name, _ arguments: [XPathTerm], _ context: Context
    ) throws(XMLError) -> XPathResult {
        switch name {
        case .last: return .number(Double(context.size))
        case .position: return .number(Double(context.position))
        case .count: return .number(Double(try nodes(arguments[0], context).count))
        case .id: return .nodes(try identified(by: value(arguments[0], context)))
        case .localName: return .string(Array(try self.name(arguments, context)?.localName.utf8 ?? "".utf8))
        case .namespaceURI: return .string(Array((try self.name(arguments, context)?.namespace ?? "").utf8))
        case .name: return .string(Array((try self.name(arguments, context)?.description ?? "").utf8))
        case .string: return .string(try text(arguments, context))
        case .concat:
            var bytes: [UInt8] = []
            for argument in arguments { try append(string(argument, context), to: &bytes) }
            return .string(bytes)
        case .startsWith:
            let bytes = try string(arguments[0], context)
            return .boolean(bytes.starts(with: try string(arguments[1], context)))
        case .contains: return .boolean(try find(arguments, context).location != nil)
        case .substringBefore:
            let (bytes, _, location) = try find(arguments, context)
            return .string(location.map { Array(bytes[..<$0]) } ?? [])
        case .substringAfter:
            let (bytes, length, location) = try find(arguments, context)
            return .string(location.map { Array(bytes[($0 + length)...]) } ?? [])
        case .substring: return .string(try substring(arguments, context))
        case .stringLength: return .number(Double(try text(arguments, context).count { $0 & 0xC0 != 0x80 }))
        case .normalizeSpace: return .string(Self.normalized(try text(arguments, context)))
        case .translate: return .string(try translate(arguments, context))
        case .boolean: return .boolean(try isTrue(arguments[0], context))
        case .not: return .boolean(try !isTrue(arguments[0], context))
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .lang: return .boolean(try isInLanguage(string(arguments[0], context), context.item))
        case .number:
            guard arguments.isEmpty else { return .number(try number(arguments[0], context)) }
            return .number(XPathNumber.parse(try stringValue(of: context.item)))
        case .sum:
            var sum = 0.0
            for item in try nodes(arguments[0], context) {
                try budget.spend(1)
                sum += XPathNumber.parse(try stringValue(of: item))
            }
            return .number(sum)
        case .floor: return .number(try number(arguments[0], context).rounded(.down))
        case .ceiling: return .number(try number(arguments[0], context).rounded(.up))
        case .round: return .number(XPathNumber.round(try number(arguments[0], context)))
        }
    }

    // MARK: Nodes

    /// Returns the name of the first node of the first argument, or of the context node; nil for none.
    private func name(_ arguments: [XPathTerm], _ context: Context) throws(XMLError) -> XMLName? {
        var item = context.item
        if let argument = arguments.first {
            guard let first = try nodes(argument, context).first else { return nil }
            item = first
        }
        if let namespace = namespace(item) { return namespace.prefix.map { XMLName($0) } }
        let entry = index.entries[Int(item.index)]
        switch entry.kind {
        case .element, .attribute, .instruction: return TreeBuilder.name(entry.pointer)
        case .document, .text, .comment, .entityReference: return nil
        }
    }

    /// Returns the elements whose IDs are among the words of a value.
    private func identified(by value: XPathResult) throws(XMLError) -> [XPathItem] {
        var words: Set<[UInt8]> = []
        var texts: [[UInt8]] = []
        if case .nodes(let items) = value {
            for item in items { texts.append(try stringValue(of: item)) }
        } else {
            texts = [try string(value)]
        }
        for text in texts { for word in text.split(whereSeparator: Self.isSpace) { words.insert(Array(word)) } }
        var found: [XPathItem] = []
        for (position, entry) in index.entries.enumerated() where !words.isEmpty {
            try budget.spend(1)
            guard entry.kind == .attribute, clx_node_is_id(entry.pointer) else { continue }
            // Only the first element with an ID counts.
            if words.remove(try stringValue(of: XPathItem(Int32(position)))) != nil {
                found.append(XPathItem(entry.parent))
            }
        }
        return try ordered(found)
    }

    /// Returns whether the language of a node is the given one or a sublanguage of it.
    private func isInLanguage(_ language: [UInt8], _ item: XPathItem) throws(XMLError) -> Bool {
        guard let name = index.number(ofName: "lang"),
            let space = index.number(ofNamespace: Self.xmlNamespace.uri ?? "")
        else { return false }
        let lowercased = { (byte: UInt8) in (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
        var position = item.index
        while position >= 0 {
            let entry = index.entries[Int(position)]
            if entry.kind == .element {
                for attribute in position + 1..<entry.content {
                    try budget.spend(1)
                    let other = index.entries[Int(attribute)]
                    guard other.name == name, other.space == space else { continue }
                    let found = try stringValue(of: XPathItem(attribute)).map(lowercased)
                    let isPrefix = found.starts(with: language.map(lowercased))
                    return isPrefix && (found.count == language.count || found[language.count] == UInt8(ascii: "-"))
                }
            }
            try budget.spend(1)
            position = entry.parent
        }
        return false
    }

    // MARK: Strings

    /// Returns the first argument as a string, or else the string-value of the context node.
    private func text(_ arguments: [XPathTerm], _ context: Context) throws(XMLError) -> [UInt8] {
        if let argument = arguments.first { return try string(argument, context) }
        return try stringValue(of: context.item)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for word in bytes.split(whereSeparator: isSpace) {
            if !result.isEmpty { result.append(0x20) }
            result += word
        }
        return result
    }

    /// Returns the first string, and the length of the second and its position in the first; nil if not found.
    private func find(
        _ arguments: [XPathTerm], _ context: Context
    ) throws(XMLError) -> (bytes: [UInt8], length: Int, location: Int?) {
        let bytes = try string(arguments[0], context)
        let part = try string(arguments[1], context)
        try spend(bytes: bytes.count)
        guard let first = part.first else { return (bytes, 0, 0) }
        var location = 0
        while location + part.count <= bytes.count {
            guard let next = bytes[location...(bytes.count - part.count)].firstIndex(of: first) else { break }
            var length = 1
            while length < part.count, bytes[next + length] == part[length] { length += 1 }
            if length == part.count { return (bytes, part.count, next) }
            try spend(bytes: length)
            location = next + 1
        }
        return (bytes, part.count, nil)
    }

    private func substring(_ arguments: [XPathTerm], _ context: Context) throws(XMLError) -> [UInt8] {
        let bytes = try string(arguments[0], context)
        let start = XPathNumber.round(try number(arguments[1], context))
        var end = Double.infinity
        if arguments.count > 2 { end = start + XPathNumber.round(try number(arguments[2], context)) }
        try spend(bytes: bytes.count)
        var result: [UInt8] = []
        var position = 0.0
        for byte in bytes {
            if byte & 0xC0 != 0x80 { position += 1 }
            // This is false if one of the bounds is NaN.
            if position >= start, position < end { result.append(byte) }
        }
        return result
    }

    private func translate(_ arguments: [XPathTerm], _ context: Context) throws(XMLError) -> [UInt8] {
        let text = String(decoding: try string(arguments[0], context), as: UTF8.self)
        let from = String(decoding: try string(arguments[1], context), as: UTF8.self).unicodeScalars
        let to = Array(String(decoding: try string(arguments[2], context), as: UTF8.self).unicodeScalars)
        var replacements: [Unicode.Scalar: Unicode.Scalar?] = [:]
        for (offset, scalar) in from.enumerated() where replacements[scalar] == nil {
            replacements.updateValue(offset < to.count ? to[offset] : nil, forKey: scalar)
        }
        try budget.spend(text.utf8.count)
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard let replacement = replacements[scalar] else {
                result.append(scalar)
                continue
            }
            if let replacement { result.append(replacement) }
        }
        return Array(String(result).utf8)
    }
}
