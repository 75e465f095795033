/// An encoder that converts named values to a query or form string (`a=1&b%5B%5D=2`).
///
/// ``alamofire`` and ``afNetworking`` match the output of those libraries. Array elements always keep the order given,
/// unless ``Sorting/pairsAndArrays`` is selected.
///
/// ```swift
/// let encoder = QueryEncoder(arrays: .noBrackets, bools: .literal)
/// let query = try encoder.encode(["tags": ["sf", "classic"], "new": true] as Parameters)
/// print(query)  // new=true&tags=sf&tags=classic
/// ```
public struct QueryEncoder: Sendable {
    /// The notation for the names of array elements.
    public var arrays: ArrayEncoding
    /// The notation for the names of set elements.
    public var sets: SetEncoding
    /// The encoding of Boolean values.
    public var bools: BoolEncoding
    /// The encoding of floating-point numbers.
    public var numbers: NumberEncoding
    /// The encoding of bytes.
    public var data: DataEncoding
    /// The encoding of dates.
    public var dates: DateEncoding
    /// The conversion of names, applied to the complete name of a pair, including nested names.
    public var keys: KeyEncoding
    /// The notation for nested names.
    public var keyPaths: KeyPathEncoding
    /// The encoding of nil values.
    public var nils: NilEncoding
    /// The encoding of spaces.
    public var spaces: SpaceEncoding
    /// The order in which pairs are written.
    public var sorting: Sorting
    /// The characters that are not percent-encoded.
    public var allowedCharacters: AllowedCharacters

    /// Creates an encoder.
    ///
    /// The defaults match Alamofire 5, except that array elements keep their order.
    public init(
        arrays: ArrayEncoding = .brackets, sets: SetEncoding = .likeArrays, bools: BoolEncoding = .numeric,
        numbers: NumberEncoding = .shortest, data: DataEncoding = .base64, dates: DateEncoding = .deferredToDate,
        keys: KeyEncoding = .useDefaultKeys, keyPaths: KeyPathEncoding = .brackets, nils: NilEncoding = .dropKey,
        spaces: SpaceEncoding = .percentEscaped, sorting: Sorting = .pairs,
        allowedCharacters: AllowedCharacters = .query
    ) {
        self.arrays = arrays
        self.sets = sets
        self.bools = bools
        self.numbers = numbers
        self.data = data
        self.dates = dates
        self.keys = keys
        self.keyPaths = keyPaths
        self.nils = nils
        self.spaces = spaces
        self.sorting = sorting
        self.allowedCharacters = allowedCharacters
    }

    /// An encoder that matches Alamofire 5 (`URLEncodedFormEncoder` with its defaults), except for arrays.
    ///
    /// Alamofire also sorts array elements, like ``alamofireSortingArrays``. If an array contains a nil or empty
    /// element, it spreads the members of later elements over several elements. Here each element stays whole.
    public static let alamofire = QueryEncoder()

    /// An encoder that matches Alamofire 5, with array elements sorted by their encoded form.
    public static let alamofireSortingArrays = QueryEncoder(sorting: .pairsAndArrays)

    /// An encoder that matches AFNetworking (`AFQueryStringFromParameters`).
    ///
    /// Names are sorted by code points in each dictionary. Array elements are named `k[]` and keep their order. Set
    /// elements repeat the plain name and are sorted by their text. Null is a name without "=". Other values are
    /// written as Foundation describes them.
    public static let afNetworking = QueryEncoder(
        sets: .repeatedKey, numbers: .sixteenDigits, data: .description, dates: .description, nils: .bareKey,
        sorting: .keys)

    /// An encoder that matches HTML forms in browsers (WHATWG URL standard, section 5.2).
    ///
    /// Nothing is sorted, and spaces become "+".
    public static let form = QueryEncoder(
        arrays: .noBrackets, sets: .repeatedKey, bools: .literal, dates: .iso8601, nils: .dropValue,
        spaces: .plusReplaced, sorting: .none, allowedCharacters: .form)

    /// Returns the query string for parameters.
    /// - Throws: An error that a custom encoding throws.
    public func encode(_ parameters: Parameters) throws -> String {
        FormWriter(self).text(try FormNode(.dictionary(parameters), self))
    }

    /// Returns the query string for a value that encodes itself as key-value pairs, such as a structure or a
    /// dictionary.
    /// - Throws: `EncodingError` if the value has no keys, or an error that the value or a custom encoding throws.
    public func encode(_ value: some Encodable) throws -> String {
        let node = FormNode()
        try FormTreeEncoder(node, self, []).encodeRoot(value)
        guard node.isRoot else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: [],
                    debugDescription: "the top level of a query must have names: use a dictionary or a structure"))
        }
        return FormWriter(self).text(node)
    }
}

/// The ASCII characters that are not percent-encoded in a query or form; all others are percent-encoded as UTF-8.
public struct AllowedCharacters: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set from the ASCII characters of a string; other characters are ignored.
    public init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }

    /// Returns whether a byte is not percent-encoded.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
        return byte < 128 && high & (1 << UInt64(byte - 64)) != 0
    }

    /// Returns the set of ASCII letters, digits and the characters of a string.
    public static func alphanumerics(and others: String) -> AllowedCharacters {
        AllowedCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + others)
    }

    /// The unreserved characters, "/" and "?" (RFC 3986, sections 2.3 and 3.4).
    ///
    /// Alamofire and AFNetworking leave these characters unencoded.
    public static let query = alphanumerics(and: "-._~/?")
    /// The unreserved characters (RFC 3986, section 2.3).
    public static let unreserved = alphanumerics(and: "-._~")
    /// The characters that browsers leave unencoded in forms.
    ///
    /// See the application/x-www-form-urlencoded percent-encode set in the WHATWG URL standard.
    public static let form = alphanumerics(and: "*-._")
}

/// The conversion of camel-case names to lowercase words.
enum WordSplitting {
    /// Returns the lowercase words of a name, joined by a separator.
    ///
    /// A word starts at an uppercase letter that follows or precedes a lowercase one. The last letter of an uppercase
    /// sequence therefore starts the next word: `myURLPath` becomes `my`, `url` and `path`. The first character starts
    /// no new word.
    static func joined(_ name: String, by separator: String) -> String {
        let scalars = Array(name.unicodeScalars)
        guard !scalars.isEmpty else { return name }
        var starts = [0]
        var index = 1
        while let capital = scalars[index...].firstIndex(where: isUpper) {
            starts.append(capital)
            guard let lower = scalars[capital...].firstIndex(where: isLower) else { break }
            // Of several uppercase letters, the last one belongs to the lowercase letters after it.
            if lower > capital + 1 { starts.append(lower - 1) }
            index = lower + 1
            if index >= scalars.count { break }
        }
        var words: [String] = []
        for (position, start) in starts.enumerated() {
            let end = position + 1 < starts.count ? starts[position + 1] : scalars.count
            var word = String.UnicodeScalarView()
            word.append(contentsOf: scalars[start..<end])
            words.append(String(word).lowercased())
        }
        return words.joined(separator: separator)
    }

    private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: true
        default: false
        }
    }

    private static func isLower(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
