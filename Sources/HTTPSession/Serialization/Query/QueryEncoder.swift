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
