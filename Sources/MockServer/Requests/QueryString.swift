import Basics
import SuiteModel

/// The parameters of a query string or form, decoded, in order.
struct QueryString: Sendable {
    /// The parameters.
    let parameters: [(name: String, value: String)]

    /// Reads `a=1&b=2`; a name without `=` has an empty value.
    init(_ text: Substring) {
        var parameters: [(name: String, value: String)] = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = Substring(pair)
            if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
                parameters.append(
                    (
                        PercentEncoding.decode(pair[..<equals], plusIsSpace: true),
                        PercentEncoding.decode(pair[pair.utf8.index(after: equals)...], plusIsSpace: true)
                    ))
            } else {
                parameters.append((PercentEncoding.decode(pair, plusIsSpace: true), ""))
            }
        }
        self.parameters = parameters
    }

    /// The values of a name, in order.
    func values(of name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }
}
