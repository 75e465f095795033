import YAML

/// A test of a gabbi file with the defaults of its file.
struct GabbiTest {
    /// The name in the file.
    private(set) var name = ""
    /// The node of the test.
    let node: YAMLNode
    /// The method and the node of the URL.
    private(set) var method = "GET"
    private(set) var url: YAMLNode?
    /// The scalars by key.
    private var scalars: [String: YAMLNode] = [:]
    /// The members of mappings by key.
    private var maps: [String: [(key: String, value: YAMLNode)]] = [:]
    /// The elements of sequences by key.
    private var lists: [String: [YAMLNode]] = [:]
    /// The body.
    private(set) var data: YAMLNode?
    /// The keys in order.
    private(set) var keys: [String] = []

    /// Merges the defaults of a file and a test.
    init(_ node: YAMLNode, defaults: YAMLNode?) {
        self.node = node
        for (key, value) in defaults?.members ?? [] { add(key.text ?? "", value) }
        for (key, value) in node.members { add(key.text ?? "", value) }
        name = scalars["name"]?.text ?? ""
        if let method = scalars["method"]?.text { self.method = method.uppercased() }
        if url == nil { url = scalars["url"] }
    }

    /// Whether a key is the method of a request, with the URL as its value.
    static func isMethod(_ key: String) -> Bool {
        key.utf8.contains { (0x41...0x5A).contains($0) } && !key.utf8.contains { (0x61...0x7A).contains($0) }
    }

    private mutating func add(_ key: String, _ value: YAMLNode) {
        if !keys.contains(key) { keys.append(key) }
        if key == "data" {
            data = value
        } else if Self.isMethod(key) {
            scalars["method"] = nil
            method = key
            url = value
        } else if let mapping = value.mapping {
            for (name, value) in mapping {
                let name = name.text ?? ""
                if let index = maps[key]?.firstIndex(where: { $0.key == name }) {
                    maps[key]?[index].value = value
                } else {
                    maps[key, default: []].append((name, value))
                }
            }
        } else if let sequence = value.sequence {
            lists[key, default: []] += sequence
        } else {
            scalars[key] = value
        }
    }

    /// Returns the value of a scalar.
    func scalar(_ key: String) -> PythonScalar? { scalars[key].flatMap { PythonScalar($0) } }
    /// Returns the node of a scalar.
    func node(_ key: String) -> YAMLNode? { scalars[key] }
    /// Returns the members of a mapping.
    func map(_ key: String) -> [(key: String, value: YAMLNode)] { maps[key] ?? [] }
    /// Returns the elements of a sequence.
    func list(_ key: String) -> [YAMLNode] { lists[key] ?? [] }
    /// Returns the node of any value, for messages.
    func any(_ key: String) -> YAMLNode? {
        node.members.first { $0.key.text == key }?.value ?? scalars[key] ?? maps[key]?.first?.value ?? lists[key]?.first
    }
}
