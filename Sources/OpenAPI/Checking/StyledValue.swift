import Basics
import JSON

/// A parser of values in one of the parameter styles (Parameter Object, section "Style Values").
struct StyledValue {
    /// The result of parsing a value.
    enum Reading {
        /// No value is present.
        case absent
        /// The name is present without a value.
        case empty
        /// The possible values of the string, most likely first.
        case values([JSONValue])
        /// The string does not follow the style, for a reason.
        case malformed(String)
    }

    let name: String
    let style: Parameter.Style
    let isExploded: Bool
    let shape: ValueShape

    private var isArray: Bool { shape.types.contains(.array) }
    private var isObject: Bool { shape.types.contains(.object) }
    /// Whether the value can be something other than the members of an object.
    private var isOwnText: Bool { isArray || shape.isScalar }

    // MARK: Single strings

    /// Parses the encoded string of a path parameter, a header, or a query member.
    ///
    /// - Parameter plusIsSpace: Whether `+` represents a space.
    func read(_ text: ArraySlice<UInt8>, plusIsSpace: Bool, isEncoded: Bool = true) -> Reading {
        func decode(_ bytes: ArraySlice<UInt8>) -> String {
            isEncoded
                ? PercentEncoding.decodedText(bytes, plusIsSpace: plusIsSpace) : String(decoding: bytes, as: UTF8.self)
        }
        switch style {
        case .label:
            guard text.first == UInt8(ascii: ".") else {
                return .malformed("a value in style \"label\" must start with \".\"")
            }
            let body = text.dropFirst()
            let separator = isExploded || !body.contains(UInt8(ascii: ",")) ? UInt8(ascii: ".") : UInt8(ascii: ",")
            return reading(of: Self.split(body, separator), whole: decode(body), decode)
        case .matrix: return matrix(text, decode)
        case .spaceDelimited:
            let decoded = decode(text)
            return reading(of: Self.split(Array(decoded.utf8)[...], UInt8(ascii: " ")), whole: decoded, Self.plain)
        case .pipeDelimited:
            let decoded = decode(text)
            return reading(of: Self.split(Array(decoded.utf8)[...], UInt8(ascii: "|")), whole: decoded, Self.plain)
        case .simple, .form, .cookie, .deepObject:
            let decoded = decode(text)
            let parts = Self.split(text, UInt8(ascii: ","))
            // Many clients also encode the commas, and servers accept that.
            if parts.count == 1, isEncoded, isArray || isObject {
                return reading(
                    of: Self.split(Array(decoded.utf8)[...], UInt8(ascii: ",")), whole: decoded, Self.plain)
            }
            return reading(of: parts, whole: decoded, decode)
        }
    }

    private static func plain(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func split(_ text: ArraySlice<UInt8>, _ separator: UInt8) -> [ArraySlice<UInt8>] {
        text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false)
    }

    /// Returns the possible readings of some parts: an array, an object, or the single string that they form.
    private func reading(
        of parts: [ArraySlice<UInt8>], whole: String, _ decode: (ArraySlice<UInt8>) -> String
    ) -> Reading {
        guard isArray || isObject else { return .values(shape.values(of: whole)) }
        var values: [JSONValue] = []
        var reason: String?
        if isArray { values = arrays(of: parts.map(decode)) }
        if isObject {
            switch object(of: parts, decode) {
            case .values(let objects): values += objects
            case .malformed(let text): reason = text
            case .absent, .empty: break
            }
        }
        // Without a separator, a single value is more likely.
        let scalars = shape.scalars(of: whole)
        values = parts.count == 1 ? scalars + values : values + scalars
        if values.isEmpty { return .malformed(reason ?? "it does not match the schema's types") }
        return .values(values)
    }

    private func arrays(of texts: [String]) -> [JSONValue] {
        let element = shape.element
        return Self.combinations(of: texts.map { element.readings(of: $0) }).map { .array($0) }
    }

    private func object(of parts: [ArraySlice<UInt8>], _ decode: (ArraySlice<UInt8>) -> String) -> Reading {
        var members: [Member] = []
        if isExploded {
            for part in parts {
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                    return .malformed("an object must be written as \"name=value\" pairs")
                }
                let name = decode(part[..<equals])
                members.append((name, shape.member(name).readings(of: decode(part[(equals + 1)...]))))
            }
        } else {
            guard parts.count % 2 == 0 else {
                return .malformed("an object must be written as alternating names and values, but one has no partner")
            }
            for index in stride(from: 0, to: parts.count, by: 2) {
                let name = decode(parts[index])
                members.append((name, shape.member(name).readings(of: decode(parts[index + 1]))))
            }
        }
        return .values(Self.objects(of: members))
    }

    private func matrix(_ text: ArraySlice<UInt8>, _ decode: (ArraySlice<UInt8>) -> String) -> Reading {
        guard text.first == UInt8(ascii: ";") else {
            return .malformed("a value in style \"matrix\" must start with \";\"")
        }
        let parts = text.dropFirst().split(separator: UInt8(ascii: ";"))
        var values: [ArraySlice<UInt8>] = []
        for part in parts {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard decode(part[..<equals]) == name else { break }
            values.append(part[equals...].dropFirst())
        }
        let isOwn = values.count == parts.count
        if isExploded, isObject, !isOwn || !isOwnText { return object(of: parts, decode) }
        guard isOwn else { return .malformed("a value in style \"matrix\" must be written as \";\(name)=…\"") }
        let only = values.first ?? []
        let isList = isExploded && isArray
        return reading(of: isList ? values : Self.split(only, UInt8(ascii: ",")), whole: decode(only), decode)
    }

    // MARK: Query and form members

    /// Parses the query members, form members, or cookies that belong to the name.
    ///
    /// - Parameters:
    ///   - taken: The set that receives the consumed names.
    ///   - isClaimed: A closure that returns whether a name belongs to another parameter, and therefore not to an
    ///     object that accepts any names.
    func read(
        _ pairs: [RequestFields.Pair], plusIsSpace: Bool, taken: inout Set<String>,
        isClaimed: (String) -> Bool = { _ in true }
    ) -> Reading {
        if style == .deepObject { return deepObject(pairs, &taken) }
        var objects: [JSONValue] = []
        let hasMembers = isExploded && isObject && (style == .form || style == .cookie)
        if hasMembers {
            var members: [Member] = []
            for pair in pairs where isMember(pair.name, isClaimed) {
                taken.insert(pair.name)
                let text = PercentEncoding.decodedText(pair.value, plusIsSpace: plusIsSpace)
                members.append((pair.name, shape.member(pair.name).readings(of: text)))
            }
            if !members.isEmpty { objects = Self.objects(of: members) }
            if !isOwnText { return objects.isEmpty ? .absent : .values(objects) }
        }
        let own = pairs.filter { $0.name == name }
        guard let first = own.first else { return objects.isEmpty ? .absent : .values(objects) }
        taken.insert(name)
        if isArray, isExploded || own.count > 1 {
            let texts = own.map { PercentEncoding.decodedText($0.value, plusIsSpace: plusIsSpace) }
            let scalars = texts.count == 1 ? shape.scalars(of: texts[0]) : []
            return .values(scalars + arrays(of: texts) + objects)
        }
        if own.count > 1, !shape.types.isEmpty {
            return objects.isEmpty ? .malformed("it is sent \(own.count) times but is not an array") : .values(objects)
        }
        if first.value.isEmpty, !isArray, !isObject { return .empty }
        guard hasMembers else { return read(first.value, plusIsSpace: plusIsSpace) }
        let text = PercentEncoding.decodedText(first.value, plusIsSpace: plusIsSpace)
        let values = shape.scalars(of: text) + objects
        return .values(values.isEmpty ? [.string(text)] : values)
    }

    /// Returns whether a query member belongs to the object.
    private func isMember(_ other: String, _ isClaimed: (String) -> Bool) -> Bool {
        if shape.properties[other] != nil { return true }
        if other == name, isOwnText { return false }
        return shape.hasMembersOfAnyName && !isClaimed(other)
    }

    /// Parses `color[R]=100&color[G]=200`, and also deeper nesting, which many servers accept.
    private func deepObject(_ pairs: [RequestFields.Pair], _ taken: inout Set<String>) -> Reading {
        var tree = BracketTree()
        for pair in pairs where pair.name.hasPrefix(name + "[") && pair.name.hasSuffix("]") {
            taken.insert(pair.name)
            let keys = pair.name.dropFirst(name.count + 1).dropLast().components(of: "][")
            tree.insert(PercentEncoding.decodedText(pair.value, plusIsSpace: true), at: keys.prefix(BracketTree.depth))
        }
        if !tree.isEmpty { return .values(tree.values(shape)) }
        guard let own = pairs.first(where: { $0.name == name }) else { return .absent }
        taken.insert(name)
        let scalars = shape.scalars(of: PercentEncoding.decodedText(own.value, plusIsSpace: true))
        if !scalars.isEmpty { return .values(scalars) }
        return .malformed("a value in style \"deepObject\" must be written as \"\(name)[property]=…\"")
    }

    // MARK: Alternatives

    /// A member of an object, with the possible values of its string.
    typealias Member = (name: String, values: [JSONValue])

    /// The maximum number of combinations of alternatives.
    private static let maximumCombinations = 64

    /// Returns the objects that members with alternative values can form, most likely first. Never empty.
    static func objects(of members: [Member]) -> [JSONValue] {
        combinations(of: members.map(\.values)).map { values in
            var object = JSONObject()
            for (member, value) in zip(members, values) { object[member.name] = value }
            return .object(object)
        }
    }

    /// Returns the arrays that use one alternative at each index, most likely first. Never empty.
    static func combinations(of alternatives: [[JSONValue]]) -> [[JSONValue]] {
        var lists = [alternatives.compactMap(\.first)]
        for (location, values) in alternatives.enumerated() where values.count > 1 {
            // Beyond the limit, each alternative is still tried separately.
            let known = lists.count * values.count <= maximumCombinations ? lists : Array(lists.prefix(1))
            for list in known {
                for value in values.dropFirst() {
                    var list = list
                    list[location] = value
                    lists.append(list)
                }
            }
            if lists.count >= 2 * maximumCombinations { break }
        }
        return lists
    }
}

extension Substring {
    /// Splits the substring at each occurrence of a separator.
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

/// A tree of strings by their keys in brackets: `phases[0][items][]=a`.
struct BracketTree {
    /// The maximum number of keys to read from a name.
    static let depth = 8

    private var text: String?
    private var members: [(key: String, tree: BracketTree)] = []
    private var positions: [String: Int] = [:]

    /// Whether the tree is empty.
    var isEmpty: Bool { text == nil && members.isEmpty }

    /// Inserts a string at a path of keys. Each empty key appends a separate element.
    mutating func insert(_ text: String, at keys: ArraySlice<String>) {
        guard let key = keys.first else {
            self.text = text
            return
        }
        let position: Int
        if !key.isEmpty, let known = positions[key] {
            position = known
        } else {
            position = members.count
            members.append((key, BracketTree()))
            positions[key] = position
        }
        members[position].tree.insert(text, at: keys.dropFirst())
    }

    /// Returns the possible values of the tree, most likely first. Never empty.
    func values(_ shape: ValueShape) -> [JSONValue] {
        if members.isEmpty { return shape.readings(of: text ?? "") }
        let hasEmptyKeys = positions[""] != nil
        let indices = members.compactMap { Int($0.key) }
        let hasIndices = indices.count == members.count
        let isObject = shape.types.contains(.object)
        var values: [JSONValue] = []
        if hasEmptyKeys || shape.types.contains(.array) && (hasIndices || !isObject) {
            // The sort keeps the order of elements with the same index.
            let order =
                hasIndices
                ? members.indices.sorted { (indices[$0], $0) < (indices[$1], $1) } : Array(members.indices)
            let elements = order.map { members[$0].tree.values(shape.element) }
            values = StyledValue.combinations(of: elements).map { .array($0) }
        }
        if values.isEmpty || isObject && !hasEmptyKeys {
            values += StyledValue.objects(
                of: members.map { ($0.key, $0.tree.values(shape.member($0.key))) })
        }
        return values
    }
}
