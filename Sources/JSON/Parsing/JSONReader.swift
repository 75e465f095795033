import Basics

/// The state of parsing one text: a position in the bytes, and the values that are not yet part of an array or object.
///
/// Values and names stay on stacks until their array or object ends and takes them in one move. Every array is
/// therefore allocated with its exact size, and nothing is copied. There is no recursion.
struct JSONReader: ~Copyable {
    /// The name of a member whose object has not ended.
    struct Name {
        let name: String
        /// The `NameHash` of the name.
        let hash: UInt32
        /// The position of the opening quotation mark in the text.
        let offset: Int
    }

    /// An array or object that has not ended.
    struct Container {
        /// The number of values on the stack at its start.
        let firstValue: Int
        /// The number of names on the stack at its start.
        let firstName: Int
        let isObject: Bool
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    var position = 0
    /// The bytes of a string with escapes, reused between strings for its storage.
    var scratch: [UInt8] = []
    var cache: NameCache
    let seed = NameHash.seed
    var values: ParseStack<JSONValue>
    var names: ParseStack<Name>
    /// The containers around `container`.
    var containers: ParseStack<Container>
    /// The innermost container; meaningless at depth 0.
    var container = Container(firstValue: 0, firstName: 0, isObject: false)
    /// The reported members that repeat a previous name of their object.
    var duplicates: [JSONDuplicateMember] = []
    let maximumDepth: Int
    let duplicateMembers: JSONParser.DuplicateMembers

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, duplicateMembers: JSONParser.DuplicateMembers
    ) {
        self.bytes = bytes
        self.count = bytes.count
        self.maximumDepth = maximumDepth
        self.duplicateMembers = duplicateMembers
        cache = NameCache(textLength: bytes.count)
        values = ParseStack(capacity: 32)
        names = ParseStack(capacity: 16)
        containers = ParseStack(capacity: 16)
    }

    /// The nesting depth of the position.
    @inline(__always)
    var depth: Int { containers.count }

    /// Parses JSON-text = ws value ws.
    mutating func readText() throws(JSONParseError) -> JSONValue {
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw failure(
                "JSON text must not start with a byte order mark", at: 0, hint: "save the text without it")
        }
        skipWhiteSpace()
        // Each iteration reads a value, or the start of an array or object.
        while true {
            guard position < count else { throw noValue() }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                values.push(.string(try readString()))
            case UInt8(ascii: "{"):
                try enter(isObject: true)
                if position < count, bytes[position] == UInt8(ascii: "}") {
                    position &+= 1
                    try leaveObject()
                } else {
                    try readName()
                    continue
                }
            case UInt8(ascii: "["):
                try enter(isObject: false)
                if position < count, bytes[position] == UInt8(ascii: "]") {
                    position &+= 1
                    leaveArray()
                } else {
                    continue
                }
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                values.push(.number(try readNumber()))
            default:
                values.push(try readWord())
            }
            if try finishValue() { return values.pop() }
        }
    }

    /// Continues after a value: at the next one, after the containers that end, or at the end of the text.
    ///
    /// Returns true at the end of the text.
    @inline(__always)
    private mutating func finishValue() throws(JSONParseError) -> Bool {
        while depth > 0 {
            skipWhiteSpace()
            let byte = position < count ? bytes[position] : 0
            if byte == UInt8(ascii: ",") {
                position &+= 1
                skipWhiteSpace()
                if container.isObject { try readName() }
                return false
            } else if byte == UInt8(ascii: "]"), !container.isObject {
                position &+= 1
                leaveArray()
            } else if byte == UInt8(ascii: "}"), container.isObject {
                position &+= 1
                try leaveObject()
            } else {
                throw noEnd()
            }
        }
        skipWhiteSpace()
        if position < count { throw unexpected("the end of the text", at: position) }
        return true
    }

    /// Skips whitespace.
    @inline(__always)
    mutating func skipWhiteSpace() {
        guard position < count, bytes[position] <= 0x20 else { return }
        skipManyWhiteSpaces()
    }

    private mutating func skipManyWhiteSpaces() {
        let raw = UnsafeRawBufferPointer(bytes)
        while position < count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
            // Skip indentation, eight spaces at a time.
            while position &+ 8 <= count,
                raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) == 0x2020_2020_2020_2020
            {
                position &+= 8
            }
        }
    }

    // MARK: Containers

    /// Skips the bracket of a container and the whitespace after it.
    @inline(__always)
    private mutating func enter(isObject: Bool) throws(JSONParseError) {
        guard depth < maximumDepth else { throw tooDeep() }
        position &+= 1
        containers.push(container)
        container = Container(firstValue: values.count, firstName: names.count, isObject: isObject)
        skipWhiteSpace()
    }

    @inline(__always)
    private mutating func leaveArray() {
        let length = values.count &- container.firstValue
        container = containers.pop()
        values.push(.array(values.takeLast(length)))
    }

    @inline(__always)
    private mutating func leaveObject() throws(JSONParseError) {
        let length = names.count &- container.firstName
        let object: JSONObject
        if length <= JSONObject.maximumUnindexedCount {
            object = mayHaveDuplicates() ? try mergeDuplicates() : JSONObject(distinct: takeMembers(), index: .init())
        } else {
            object = try takeLargeObject()
        }
        container = containers.pop()
        values.push(.object(object))
    }

    /// Returns whether two names of the innermost object have the same hash.
    @inline(__always)
    private func mayHaveDuplicates() -> Bool {
        var seen: UInt64 = 0
        var index = container.firstName
        let end = names.count
        while index < end {
            let hash = names[index].hash
            let bit: UInt64 = 1 << UInt64(hash >> 26)
            if seen & bit != 0 {
                var other = container.firstName
                while other < index {
                    if names[other].hash == hash { return true }
                    other &+= 1
                }
            }
            seen |= bit
            index &+= 1
        }
        return false
    }

    /// Removes the members of the innermost object from the stacks and returns them.
    @inline(__always)
    private mutating func takeMembers() -> [JSONObject.Element] {
        let length = names.count &- container.firstName
        let names = names.surrender(length)
        let values = values.surrender(length)
        return Array(length) { ((names + $0).move().name, (values + $0).move()) }
    }

    /// Removes the members of an innermost object that is large enough for an index from the stacks.
    private mutating func takeLargeObject() throws(JSONParseError) -> JSONObject {
        let first = container.firstName
        var index = MemberIndex(capacity: names.count - first)
        for position in first..<names.count {
            let hash = names[position].hash
            if index.position(hash: hash, where: { ExactText.equal(names[first + $0].name, names[position].name) })
                != nil
            {
                return try mergeDuplicates()
            }
            index.insert(hash: hash, position: position - first)
        }
        return JSONObject(distinct: takeMembers(), index: index)
    }

    /// Removes the members of an innermost object with possible duplicate names from the stacks.
    private mutating func mergeDuplicates() throws(JSONParseError) -> JSONObject {
        var object = JSONObject()
        let length = names.count - container.firstName
        object.reserveCapacity(length)
        for index in 0..<length {
            let name = names[container.firstName + index]
            let value = values[container.firstValue + index]
            guard let taken = object.insert(name.name, value) else { continue }
            switch duplicateMembers {
            case .reject: throw duplicate(name)
            case .keepFirst: break
            case .keepLast: object.replaceValue(at: taken, with: value)
            }
            note(duplicate: name)
        }
        names.removeLast(length)
        values.removeLast(length)
        return object
    }

    // MARK: Scalars

    @inline(__always)
    private mutating func readNumber() throws(JSONParseError) -> JSONNumber {
        let start = position
        let scan = NumberScan(bytes, at: start)
        if let problem = scan.problem { throw failure(problem, at: scan.end, numberAt: start) }
        position = scan.end
        return JSONNumber(
            scan: scan, literal: String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<scan.end]), as: UTF8.self)
        )
    }

    /// Reads `true`, `false` or `null`.
    private mutating func readWord() throws(JSONParseError) -> JSONValue {
        if skipWord("true") { return .bool(true) }
        if skipWord("false") { return .bool(false) }
        if skipWord("null") { return .null }
        throw noValue()
    }

    /// Skips `word` if it is complete at the position.
    @inline(__always)
    private mutating func skipWord(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count - position >= length else { return false }
        for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] { return false }
        if position + length < count, JSONReader.isWordByte(bytes[position + length]) { return false }
        position += length
        return true
    }
}

/// A stack with contiguous storage, whose top elements can be moved out as an array.
struct ParseStack<Element>: ~Copyable {
    private var storage: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    /// Creates an empty stack with capacity for `capacity` elements.
    init(capacity: Int) {
        self.capacity = capacity
        storage = .allocate(capacity: capacity)
    }

    deinit {
        storage.deinitialize(count: count)
        storage.deallocate()
    }

    /// The element at a position below `count`.
    @inline(__always)
    subscript(position: Int) -> Element { storage[position] }

    @inline(__always)
    mutating func push(_ element: consuming Element) {
        if count == capacity { grow() }
        (storage + count).initialize(to: element)
        count &+= 1
    }

    /// Removes and returns the last element; the stack must not be empty.
    @inline(__always)
    mutating func pop() -> Element {
        count &-= 1
        return (storage + count).move()
    }

    /// Removes and returns the last `length` elements, which must exist.
    @inline(__always)
    mutating func takeLast(_ length: Int) -> [Element] {
        let first = surrender(length)
        // Most arrays are short, and each of these variants is the fastest for its lengths.
        switch length {
        case 1: return [first.move()]
        case 2: return [first.move(), (first + 1).move()]
        case 3: return [first.move(), (first + 1).move(), (first + 2).move()]
        default: return Array(length) { (first + $0).move() }
        }
    }

    /// Removes the last `length` elements, which must exist; the caller moves them from the returned address.
    @inline(__always)
    mutating func surrender(_ length: Int) -> UnsafeMutablePointer<Element> {
        count &-= length
        return storage + count
    }

    /// Removes and destroys the last `length` elements, which must exist.
    mutating func removeLast(_ length: Int) {
        surrender(length).deinitialize(count: length)
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}

extension Array {
    /// Creates an array of `count` elements with exact capacity, each created by calling `element` in order.
    @inline(__always)
    init(_ count: Int, element: (Int) -> Element) {
        if count <= 24 {
            self = []
            reserveCapacity(count)
            for index in 0..<count { append(element(index)) }
        } else {
            // This calls generic code of the standard library, which pays off only for many elements.
            self.init(unsafeUninitializedCapacity: count) { buffer, initializedCount in
                for index in 0..<count { buffer.initializeElement(at: index, to: element(index)) }
                initializedCount = count
            }
        }
    }
}
