import Basics

/// The header fields of a message: ordered, multi-valued, and looked up case-insensitively.
///
/// Names keep their original case, in HTTP/1 on the wire too.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["Content-Type"] = "text/plain"
/// print(headers["accept"] ?? "")
/// ```
public struct HTTPHeaders: Sendable, Equatable {
    /// A field line of a header.
    public struct Field: Sendable, Hashable {
        /// The field's name in its original case.
        public var name: String
        /// The field's value without surrounding whitespace.
        public var value: String

        /// Creates a field from a name and a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    public private(set) var fields: [Field]

    /// Creates an empty header.
    public init() {
        fields = []
    }

    /// Creates a header with the given fields, in order.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The first value of the field `name`.
    ///
    /// Setting a value replaces all fields of that name. Setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            position(of: name).map { fields[$0].value }
        }
        set {
            if let newValue { set(name: name, value: newValue) } else { remove(name) }
        }
    }

    /// Returns all values of the field `name`, in order.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        var index = position(of: name)
        while let found = index {
            values.append(fields[found].value)
            index = position(of: name, from: found + 1)
        }
        return values
    }

    /// Returns the field's values joined by commas (RFC 9110, section 5.3), or nil if there is no such field.
    ///
    /// Do not use it for `Set-Cookie`, whose values cannot be combined.
    public func combined(_ name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The values of all `Cookie` fields joined into one (RFC 9113, section 8.2.3); nil if there are none.
    var cookies: String? {
        let values = values("Cookie")
        return values.isEmpty ? nil : values.joined(separator: "; ")
    }

    /// Whether there is a `Content-Length` or `Transfer-Encoding` field.
    var hasFraming: Bool {
        contains("Content-Length") || contains("Transfer-Encoding")
    }

    /// Returns whether there is a field named `name`.
    public func contains(_ name: String) -> Bool {
        position(of: name) != nil
    }

    /// Returns the position of the first field of a name at or after a position.
    ///
    /// Every response is searched for several names, and lacks most of them. A field is not copied for the comparison,
    /// because that would change the reference counts of its two strings.
    private func position(of name: String, from start: Int = 0) -> Int? {
        let length = name.utf8.count
        return fields.withUnsafeBufferPointer { fields in
            for index in start..<fields.count where fields[index].name.utf8.count == length {
                if ASCII.equalIgnoringCase(fields[index].name, name) { return index }
            }
            return nil
        }
    }

    /// Appends a field; existing fields of the same name stay.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Appends a field.
    mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Replaces all fields of the name with one, at the position of the first, or appends it.
    public mutating func set(name: String, value: String) {
        guard let index = position(of: name) else {
            append(name: name, value: value)
            return
        }
        fields[index] = Field(name: name, value: value)
        var later = fields[(index + 1)...]
        guard later.contains(where: { ASCII.equalIgnoringCase($0.name, name) }) else { return }
        later.removeAll { ASCII.equalIgnoringCase($0.name, name) }
        fields.replaceSubrange((index + 1)..., with: Array(later))
    }

    /// Removes all fields of the name.
    public mutating func remove(_ name: String) {
        fields.removeAll { ASCII.equalIgnoringCase($0.name, name) }
    }

    /// Appends each field of `defaults` whose name is not present yet.
    mutating func merge(defaults: HTTPHeaders) {
        guard !defaults.fields.isEmpty else { return }
        let own = self
        for field in defaults.fields where !own.contains(field.name) { fields.append(field) }
    }

    /// Reserves capacity for `count` fields.
    mutating func reserve(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Appends a continuation to the value of the last field, as for a folded line (RFC 9112, section 5.2).
    mutating func extendLast(with continuation: String) {
        guard var last = fields.popLast() else { return }
        last.value += last.value.isEmpty || continuation.isEmpty ? continuation : " " + continuation
        fields.append(last)
    }

    /// Returns whether there is more than one field of the name.
    func hasSeveral(_ name: String) -> Bool {
        guard let first = position(of: name) else { return false }
        return position(of: name, from: first + 1) != nil
    }

    /// Returns whether a value is a single element in the form that ``tokens(_:)`` returns, as most values are.
    private static func isOneToken(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { $0 != UInt8(ascii: ",") && $0 > 32 && ASCII.lowercased($0) == $0 }
    }

    /// Returns the elements of a comma-separated field, lowercased and trimmed.
    func tokens(_ name: String) -> [String] {
        var tokens: [String] = []
        for value in values(name) {
            if Self.isOneToken(value) {
                tokens.append(value)
                continue
            }
            for part in value.utf8.split(separator: UInt8(ascii: ",")) {
                let token = ASCII.trimmed(part)
                if !token.isEmpty { tokens.append(ByteClass.text(token.map(ASCII.lowercased))) }
            }
        }
        return tokens
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a header from names and values; a name may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { fields.count }
    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }
}
