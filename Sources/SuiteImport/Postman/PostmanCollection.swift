import JSON

/// A collection as the tree of its items, flattened to its requests with what they inherit.
struct PostmanCollection {
    /// A request with what its directories add.
    struct Item {
        /// The name.
        var name: String
        /// The item of the collection.
        var value: JSONValue
        /// The JSON Pointer of the item.
        var pointer: String
        /// The names of the directories around the item.
        var group: [String]
        /// The authentication of the nearest level that has one.
        var auth: JSONValue?
        /// The indexes of the scripts before the request, the outermost first.
        var before: [Int]
        /// The indexes of the scripts after the response, the outermost first.
        var after: [Int]
        /// The settings of all levels, the innermost first.
        var behavior: [JSONValue]
    }

    /// A script with the number of requests that it belongs to.
    struct SharedScript {
        var script: ScriptSource
        /// Whether the script belongs to a directory or the collection.
        var isInherited: Bool
    }

    /// The requests in order.
    private(set) var items: [Item] = []
    /// All scripts.
    private(set) var scripts: [SharedScript] = []
    /// The number of disabled parts, saved examples and similar, by kind.
    private(set) var omitted: [String] = []
    /// Whether items are nested deeper than allowed.
    private(set) var isTooDeep = false

    private let lines: JSONLines

    /// Reads a collection.
    init(_ root: JSONValue, pointer: String, _ lines: JSONLines) {
        self.lines = lines
        var level = Item(
            name: "", value: root, pointer: pointer, group: [], auth: nil, before: [], after: [], behavior: [])
        inherit(&level)
        addItems(of: level, depth: 0)
    }

    /// Adds what an item itself has to what it inherits.
    private mutating func inherit(_ level: inout Item, isRequest: Bool = false) {
        let request = isRequest ? level.value["request"] : level.value
        if let auth = request?["auth"] ?? level.value["auth"], !auth.isNull { level.auth = auth }
        if let behavior = level.value["protocolProfileBehavior"] { level.behavior.insert(behavior, at: 0) }
        for (index, event) in (level.value["event"]?.arrayValue ?? []).enumerated() {
            if event["disabled"]?.boolValue == true {
                omitted.append("disabled scripts")
                continue
            }
            let path = "\(level.pointer)/event/\(index)/script"
            let script = event["script"]
            let exec = script?["exec"] ?? script
            guard let script = self.script(exec, script?["exec"] == nil ? path : "\(path)/exec") else { continue }
            switch event["listen"]?.stringValue {
            case "prerequest": level.before.append(scripts.count)
            case "test": level.after.append(scripts.count)
            default:
                omitted.append("scripts of other events")
                continue
            }
            scripts.append(SharedScript(script: script, isInherited: !isRequest))
        }
    }

    /// Returns the script of an event's `exec`; nil if it is empty.
    private func script(_ value: JSONValue?, _ pointer: String) -> ScriptSource? {
        switch value {
        case .string(let text): ScriptSource([(text, lines[pointer])])
        case .array(let parts):
            ScriptSource(parts.enumerated().map { ($0.element.stringValue ?? "", lines["\(pointer)/\($0.offset)"]) })
        default: nil
        }
    }

    private mutating func addItems(of level: Item, depth: Int) {
        guard depth < ImportLimits.depth else {
            isTooDeep = true
            return
        }
        for (index, value) in (level.value["item"]?.arrayValue ?? []).enumerated() {
            var item = level
            item.value = value
            item.pointer = "\(level.pointer)/item/\(index)"
            item.name = value["name"]?.stringValue ?? ""
            if value["item"] != nil {
                item.group.append(item.name)
                inherit(&item)
                addItems(of: item, depth: depth + 1)
            } else if value["request"] != nil {
                inherit(&item, isRequest: true)
                let examples = value["response"]?.arrayValue?.count ?? 0
                omitted += Array(repeating: "saved examples", count: examples)
                items.append(item)
            } else {
                omitted.append("items without a request")
            }
        }
    }
}
