import JSON

/// Reads values that are written in one of the styles of parameters (Parameter Object, section "Style Values").
struct StyledValue {
    /// What was found.
    enum Reading {
        /// Nothing.
        case absent
        /// A name without a value.
        case empty
        /// The values that the text may stand for, the likeliest first.
        case values([JSONValue])
        /// The text does not follow the style; why not.
        case malformed(String)
    }

    let name: String
    let style: Parameter.Style
    let isExploded: Bool
    let shape: ValueShape

    private var isArray: Bool { shape.types.contains(.array) }
    private var isObject: Bool { shape.types.contains(.object) && !isArray }

    // MARK: One text

    /// Reads the text of a path parameter or a header, or of a member of a query, still encoded.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space.
    func read(_ text: ArraySlice<UInt8>, plusIsSpace: Bool, isEncoded: Bool = true) -> Reading {
        func decode(_ bytes: ArraySlice<UInt8>) -> String {
            isEncoded ? PercentDecoding.text(bytes, plusIsSpace: plusIsSpace) : String(decoding: bytes, as: UTF8.self)
        }
        switch style {
        case .label:
            guard text.first == UInt8(ascii: ".") else {
                return .malformed("a value of the style \"label\" begins with \".\"")
            }
            let body = text.dropFirst()
            let separator = isExploded || !body.contains(UInt8(ascii: ",")) ? UInt8(ascii: ".") : UInt8(ascii: ",")
            return compound(Self.split(body, separator), decode) ?? .values(shape.values(of: decode(body)))
        case .matrix: return matrix(text, decode)
        case .spaceDelimited:
            let decoded = Array(decode(text).utf8)[...]
            return compound(Self.split(decoded, UInt8(ascii: " ")), Self.plain)
                ?? .values(shape.values(of: decode(text)))
        case .pipeDelimited:
            let decoded = Array(decode(text).utf8)[...]
            return compound(Self.split(decoded, UInt8(ascii: "|")), Self.plain)
                ?? .values(shape.values(of: decode(text)))
        case .simple, .form, .cookie, .deepObject:
            var parts = Self.split(text, UInt8(ascii: ","))
            // Many clients encode the commas too, and servers take that.
            if parts.count == 1, isEncoded, isArray || isObject {
                let decoded = Array(decode(text).utf8)[...]
                parts = Self.split(decoded, UInt8(ascii: ","))
                return compound(parts, Self.plain) ?? .values(shape.values(of: decode(text)))
            }
            return compound(parts, decode) ?? .values(shape.values(of: decode(text)))
        }
    }

    private static func plain(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func split(_ text: ArraySlice<UInt8>, _ separator: UInt8) -> [ArraySlice<UInt8>] {
        text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false)
    }

    /// The array or object of some parts; nil where the schema has neither.
    private func compound(_ parts: [ArraySlice<UInt8>], _ decode: (ArraySlice<UInt8>) -> String) -> Reading? {
        if isArray { return .values([.array(parts.map { shape.element.value(of: decode($0)) })]) }
        guard isObject else { return nil }
        var object = JSONObject()
        if isExploded {
            for part in parts {
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                    return .malformed("members of an object are written \"name=value\" here")
                }
                let name = decode(part[..<equals])
                object[name] = shape.member(name).value(of: decode(part[(equals + 1)...]))
            }
        } else {
            guard parts.count % 2 == 0 else {
                return .malformed("an object is written as names and values in turn, and here is one without the other")
            }
            for index in stride(from: 0, to: parts.count, by: 2) {
                let name = decode(parts[index])
                object[name] = shape.member(name).value(of: decode(parts[index + 1]))
            }
        }
        return .values([.object(object)])
    }

    private func matrix(_ text: ArraySlice<UInt8>, _ decode: (ArraySlice<UInt8>) -> String) -> Reading {
        guard text.first == UInt8(ascii: ";") else {
            return .malformed("a value of the style \"matrix\" begins with \";\"")
        }
        let parts = text.dropFirst().split(separator: UInt8(ascii: ";"))
        if isExploded, isObject { return compound(parts, decode) ?? .absent }
        var values: [ArraySlice<UInt8>] = []
        for part in parts {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard decode(part[..<equals]) == name else {
                return .malformed("a value of the style \"matrix\" is written \";\(name)=…\"")
            }
            values.append(part[equals...].dropFirst())
        }
        if isArray, isExploded { return compound(values, decode) ?? .absent }
        let only = values.first ?? []
        return compound(Self.split(only, UInt8(ascii: ",")), decode) ?? .values(shape.values(of: decode(only)))
    }

    // MARK: Several members of a query or form

    /// Reads the members of a query, a form or the cookies that belong to the name.
    ///
    /// - Parameter taken: Gets the names that were used.
    func read(
        _ pairs: [RequestFields.Pair], plusIsSpace: Bool, taken: inout Set<String>
    ) -> Reading {
        if style == .deepObject { return deepObject(pairs, &taken) }
        if isExploded, isObject, style == .form || style == .cookie {
            var object = JSONObject()
            for pair in pairs where shape.properties[pair.name] != nil {
                taken.insert(pair.name)
                object[pair.name] = shape.member(pair.name).value(
                    of: PercentDecoding.text(pair.value, plusIsSpace: plusIsSpace))
            }
            return object.isEmpty ? .absent : .values([.object(object)])
        }
        let own = pairs.filter { $0.name == name }
        guard let first = own.first else { return .absent }
        taken.insert(name)
        if isArray, isExploded || own.count > 1 {
            let texts = own.map { PercentDecoding.text($0.value, plusIsSpace: plusIsSpace) }
            return .values([.array(texts.map { shape.element.value(of: $0) })])
        }
        if own.count > 1, !shape.types.isEmpty { return .malformed("it is sent \(own.count) times, but is no array") }
        if first.value.isEmpty, !isArray, !isObject { return .empty }
        return read(first.value, plusIsSpace: plusIsSpace)
    }

    /// `color[R]=100&color[G]=200`; also deeper, as many servers take it.
    private func deepObject(_ pairs: [RequestFields.Pair], _ taken: inout Set<String>) -> Reading {
        var result: JSONValue?
        for pair in pairs where pair.name.hasPrefix(name + "[") && pair.name.hasSuffix("]") {
            taken.insert(pair.name)
            let keys = pair.name.dropFirst(name.count + 1).dropLast().components(of: "][")
            let text = PercentDecoding.text(pair.value, plusIsSpace: true)
            result = Self.inserting(text, at: keys[...], into: result, shape, depth: 8)
        }
        if let result { return .values([result]) }
        guard pairs.contains(where: { $0.name == name }) else { return .absent }
        taken.insert(name)
        return .malformed("a value of the style \"deepObject\" is written \"\(name)[member]=…\"")
    }

    private static func inserting(
        _ text: String, at keys: ArraySlice<String>, into value: JSONValue?, _ shape: ValueShape, depth: Int
    ) -> JSONValue {
        guard let key = keys.first, depth > 0 else { return shape.value(of: text) }
        if shape.types.contains(.array) || key.isEmpty {
            var elements = value?.arrayValue ?? []
            elements.append(
                inserting(text, at: keys.dropFirst(), into: nil, shape.element, depth: depth - 1))
            return .array(elements)
        }
        var object = value?.objectValue ?? JSONObject()
        object[key] = inserting(
            text, at: keys.dropFirst(), into: object[key], shape.member(key), depth: depth - 1)
        return .object(object)
    }
}

extension Substring {
    /// The parts between the places where a separator stands.
    fileprivate func components(of separator: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var rest = self
        while let character = rest.first {
            if rest.hasPrefix(separator) {
                parts.append(part)
                part = ""
                rest = rest.dropFirst(separator.count)
            } else {
                part.append(character)
                rest = rest.dropFirst()
            }
        }
        return parts + [part]
    }
}
