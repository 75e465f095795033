/// Makes the text of a query or form (`a=1&b%5B%5D=2`) of named values.
///
/// ``alamofire`` and ``afNetworking`` write what those libraries write. The values of an array always stay in the order
/// the caller gave them, unless ``Sorting/pairsAndArrays`` is asked for.
public struct QueryEncoder: Sendable {
    /// How the values of an array are named.
    public var arrays: ArrayEncoding
    /// How the values of a set are named.
    public var sets: SetEncoding
    /// How truth values are written.
    public var bools: BoolEncoding
    /// How floating-point numbers are written.
    public var numbers: NumberEncoding
    /// How bytes are written.
    public var data: DataEncoding
    /// How points in time are written.
    public var dates: DateEncoding
    /// How names are changed; the whole name of a pair, nested names included, is changed at once.
    public var keys: KeyEncoding
    /// How a nested name follows the name it is nested in.
    public var keyPaths: KeyPathEncoding
    /// How missing values are written.
    public var nils: NilEncoding
    /// How spaces are written.
    public var spaces: SpaceEncoding
    /// In which order the pairs are written.
    public var sorting: Sorting
    /// What is not percent-encoded.
    public var allowedCharacters: AllowedCharacters

    /// Creates an encoder; without arguments it writes what Alamofire 5 writes, but for the order of arrays.
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

    /// The dialect of Alamofire 5 (`URLEncodedFormEncoder` without arguments), but for what it does to arrays.
    ///
    /// Alamofire sorts the values of arrays too, as ``alamofireSortingArrays`` does. And where a value of an array is nil
    /// or empty, it spreads the members of later values over several; here each value stays whole.
    public static let alamofire = QueryEncoder()

    /// The dialect of Alamofire 5, the values of arrays sorted by their text.
    public static let alamofireSortingArrays = QueryEncoder(sorting: .pairsAndArrays)

    /// The dialect of AFNetworking (`AFQueryStringFromParameters`).
    ///
    /// Names are sorted by code points in each dictionary, arrays are `k[]` in their order, sets repeat the bare name
    /// sorted by text, null is a bare name, and other values are written as Foundation describes them.
    public static let afNetworking = QueryEncoder(
        sets: .repeatedKey, numbers: .sixteenDigits, data: .description, dates: .description, nils: .bareKey,
        sorting: .keys)

    /// What browsers send for a form (WHATWG URL standard, section 5.2): nothing is sorted, spaces become "+".
    public static let form = QueryEncoder(
        arrays: .noBrackets, sets: .repeatedKey, bools: .literal, dates: .iso8601, nils: .dropValue,
        spaces: .plusReplaced, sorting: .none, allowedCharacters: .form)

    /// The text for parameters.
    /// - Throws: What a custom encoding throws.
    public func encode(_ parameters: Parameters) throws -> String {
        FormWriter(self).text(try FormNode(.dictionary(parameters), self))
    }

    /// The text for a value that encodes itself with names, such as a struct or a dictionary.
    /// - Throws: `EncodingError` for a value that has no names, and what the value and a custom encoding throw.
    public func encode(_ value: some Encodable) throws -> String {
        let node = FormNode()
        try FormTreeEncoder(node, self, []).encodeRoot(value)
        guard node.isRoot else {
            throw EncodingError.invalidValue(
                value,
                .init(
                    codingPath: [],
                    debugDescription: "a query needs names at its outermost level: use a dictionary or a structure"))
        }
        return FormWriter(self).text(node)
    }
}

/// The ASCII characters that are written as they are in a query or form; all others are percent-encoded as UTF-8.
public struct AllowedCharacters: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set of the ASCII characters of a text; others in it are never written as they are.
    public init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }

    /// Whether a byte is written as it is.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low & (1 << UInt64(byte)) != 0 }
        return byte < 128 && high & (1 << UInt64(byte - 64)) != 0
    }

    /// ASCII letters and digits, and the characters of a text.
    public static func alphanumerics(and others: String) -> AllowedCharacters {
        AllowedCharacters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + others)
    }

    /// The unreserved characters, "/" and "?" (RFC 3986 sections 2.3 and 3.4): what both models leave as it is.
    public static let query = alphanumerics(and: "-._~/?")
    /// The unreserved characters (RFC 3986 section 2.3).
    public static let unreserved = alphanumerics(and: "-._~")
    /// What browsers leave as it is in forms (WHATWG URL standard, application/x-www-form-urlencoded percent-encode set).
    public static let form = alphanumerics(and: "*-._")
}

/// The words of a name in camel case, in lower case.
enum WordSplitting {
    /// The words of a name, joined.
    ///
    /// A word starts at an upper-case letter that follows or precedes a lower-case one, so that of a row of capitals the
    /// last belongs to the next word: `myURLPath` has `my`, `url` and `path`. The first character starts no new word.
    static func joined(_ name: String, by separator: String) -> String {
        let scalars = Array(name.unicodeScalars)
        guard !scalars.isEmpty else { return name }
        var starts = [0]
        var index = 1
        while let capital = scalars[index...].firstIndex(where: isUpper) {
            starts.append(capital)
            guard let lower = scalars[capital...].firstIndex(where: isLower) else { break }
            // Of several capitals, the last one belongs to the lower-case letters after it.
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
