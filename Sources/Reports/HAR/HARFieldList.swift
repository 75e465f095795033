import SuiteModel

/// The header fields that were written last: what is the same in the next message is copied, and not written anew.
struct HARFieldList: ~Copyable {
    /// What is known of the field at an index.
    private struct Slot {
        /// Whether name and value stand in the text as they are.
        var isPlain = false
        /// The bytes of the object, with the comma before it.
        var textCount = 0
        var role = HARHeader.Role.other
        /// Whether the field that is to be written is the one in the text.
        var isSame = false
    }

    private var slots: [Slot] = []
    /// The objects of the fields, with commas between them.
    private var text = ByteBuffer()
    private var isSame = false
    /// What was read last.
    private var header = HARHeader()
    /// Whether that was written.
    private var isWritten = false
    /// The fields that the text is of.
    private var last: [HeaderField] = []

    init() {}

    /// Reads fields, which are to be written next.
    mutating func read(_ fields: [HeaderField]) -> HARHeader {
        // The requests of most runs have one list.
        if isWritten, Self.areOne(fields, last) {
            isSame = true
            return header
        }
        isWritten = false
        isSame = fields.count == slots.count
        if fields.count < slots.count { slots.removeLast(slots.count - fields.count) }
        while slots.count < fields.count { slots.append(Slot()) }
        header = HARHeader()
        for index in fields.indices {
            let slot = slots[index]
            let isKept = index < last.count
            let isNamed = isKept && slot.isPlain && Self.isEqual(fields[index].name, last[index].name)
            if !isNamed { slots[index].role = Self.role(of: fields[index].name) }
            slots[index].isSame = isNamed && Self.isEqual(fields[index].value, last[index].value)
            header.add(
                slots[index].role, at: index, count: fields[index].name.utf8.count + fields[index].value.utf8.count)
            isSame = isSame && slots[index].isSame
        }
        return header
    }

    private static func role(of name: String) -> HARHeader.Role {
        name.withBytes { HARHeader.role(of: $0) }
    }

    /// Appends the fields that were read last as the elements of an array.
    mutating func write(_ fields: [HeaderField], into json: inout JSONText) {
        last = fields
        isWritten = true
        if isSame { return json.buffer.append(text) }
        let start = json.buffer.count
        var slots: [Slot] = []
        swap(&slots, &self.slots)
        text.withUnsafeBytes { text in
            let text = text.assumingMemoryBound(to: UInt8.self)
            // Where in the text that begins which is to be copied.
            var run = 0
            var offset = 0
            for index in fields.indices {
                let end = offset &+ slots[index].textCount
                if !slots[index].isSame {
                    json.buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<offset]))
                    run = end
                    slots[index].textCount = 0
                    let count = json.buffer.count
                    if index > 0 { json.continueArray() } else { json.beginElement() }
                    slots[index].isPlain = json.pair(fields[index].name, fields[index].value)
                    slots[index].textCount = json.buffer.count &- count
                }
                offset = end
            }
            json.buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<offset]))
        }
        swap(&slots, &self.slots)
        text.removeAll()
        text.append(json.buffer, from: start)
    }

    /// Whether a text has the bytes of another, in which nothing had to be escaped: in ASCII, where what counts as equal
    /// without the same bytes has more of them.
    private static func isEqual(_ text: String, _ plain: String) -> Bool {
        text.utf8.count == plain.utf8.count && text == plain
    }

    /// Whether two lists are one in memory, which nothing can change while it is kept here.
    private static func areOne(_ first: [HeaderField], _ second: [HeaderField]) -> Bool {
        guard first.count == second.count else { return false }
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in first.baseAddress == second.baseAddress }
        }
    }
}
