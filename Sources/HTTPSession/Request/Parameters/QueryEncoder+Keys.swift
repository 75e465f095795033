extension QueryEncoder {
    /// The notation for the names of array elements.
    public enum ArrayEncoding: Sendable {
        /// `k[]=1&k[]=2`
        case brackets
        /// `k=1&k=2`
        case noBrackets
        /// `k[0]=1&k[1]=2`
        case indexInBrackets
        /// The string that a closure returns for the array's name and the element's zero-based index.
        case custom(@Sendable (_ key: String, _ index: Int) -> String)

        func name(_ key: String, _ index: Int) -> String {
            switch self {
            case .brackets: key + "[]"
            case .noBrackets: key
            case .indexInBrackets: key + "[" + String(index) + "]"
            case .custom(let name): name(key, index)
            }
        }
    }

    /// The notation for the names of set elements.
    public enum SetEncoding: Sendable {
        /// The notation of arrays.
        case likeArrays
        /// `k=1&k=2`
        case repeatedKey
    }

    /// The conversion of names.
    public enum KeyEncoding: Sendable {
        /// No conversion.
        case useDefaultKeys
        /// `oneTwoThree` becomes `one_two_three`, `myURLPath` becomes `my_url_path`.
        case convertToSnakeCase
        /// `oneTwoThree` becomes `one-two-three`.
        case convertToKebabCase
        /// The first letter is uppercased.
        case capitalized
        /// All letters are uppercased.
        case uppercased
        /// All letters are lowercased.
        case lowercased
        /// The string that a closure returns for the name.
        case custom(@Sendable (String) -> String)

        func name(_ key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: WordSplitting.joined(key, by: "_")
            case .convertToKebabCase: WordSplitting.joined(key, by: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let change): change(key)
            }
        }
    }

    /// The notation for nested names.
    public enum KeyPathEncoding: Sendable {
        /// `parent[child]`
        case brackets
        /// `parent.child`
        case dots
        /// The outer name, followed by the string that a closure returns for the inner one.
        case custom(@Sendable (_ subkey: String) -> String)

        func name(_ key: String, _ subkey: String) -> String {
            switch self {
            case .brackets: key + "[" + subkey + "]"
            case .dots: key + "." + subkey
            case .custom(let suffix): key + suffix(subkey)
            }
        }
    }

    /// The order in which pairs are written.
    public enum Sorting: Sendable {
        /// The order given. The members of a Swift `Dictionary`, which has no order, are sorted by key.
        case none
        /// The members of each dictionary or type are sorted by name, in code point order.
        case keys
        /// The members of each dictionary or type are sorted by their encoded form.
        case pairs
        /// The same as ``pairs``, and array elements are sorted by their encoded form too.
        case pairsAndArrays
    }

    /// The encoding of spaces.
    public enum SpaceEncoding: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`
        case plusReplaced
    }
}
