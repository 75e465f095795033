extension QueryEncoder {
    /// How the values of an array are named.
    public enum ArrayEncoding: Sendable {
        /// `k[]=1&k[]=2`
        case brackets
        /// `k=1&k=2`
        case noBrackets
        /// `k[0]=1&k[1]=2`
        case indexInBrackets
        /// What the function gives for the array's name and the value's index from 0.
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

    /// How the values of a set are named.
    public enum SetEncoding: Sendable {
        /// As those of an array.
        case likeArrays
        /// `k=1&k=2`
        case repeatedKey
    }

    /// How names are changed.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `oneTwoThree` becomes `one_two_three`, `myURLPath` becomes `my_url_path`.
        case convertToSnakeCase
        /// `oneTwoThree` becomes `one-two-three`.
        case convertToKebabCase
        /// The first letter becomes upper case.
        case capitalized
        /// All letters become upper case.
        case uppercased
        /// All letters become lower case.
        case lowercased
        /// What the function gives for the name.
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

    /// How a nested name follows the name it is nested in.
    public enum KeyPathEncoding: Sendable {
        /// `parent[child]`
        case brackets
        /// `parent.child`
        case dots
        /// The outer name, and what the function gives for the inner one.
        case custom(@Sendable (_ subkey: String) -> String)

        func name(_ key: String, _ subkey: String) -> String {
            switch self {
            case .brackets: key + "[" + subkey + "]"
            case .dots: key + "." + subkey
            case .custom(let suffix): key + suffix(subkey)
            }
        }
    }

    /// In which order pairs are written.
    public enum Sorting: Sendable {
        /// As given; the members of a Swift `Dictionary`, which have no order, by name.
        case none
        /// The members of each dictionary or type by their name, in the order of code points.
        case keys
        /// The members of each dictionary or type by the text they become.
        case pairs
        /// As ``pairs``, and the values of arrays by the text they become.
        case pairsAndArrays
    }

    /// How spaces are written.
    public enum SpaceEncoding: Sendable {
        /// `%20`
        case percentEscaped
        /// `+`
        case plusReplaced
    }
}
