import SuiteModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The header fields that were written last: what is the same in the next message is copied, and not written anew.
struct HARFieldList: ~Copyable {
    /// What is known of the field at an index.
    private struct Slot {
        /// The bytes of name and value in the text, as they were; -1 when one of them was escaped.
        var nameCount = -1
        var valueCount = -1
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

    /// The bytes before the name, and between name and value (`JSONText.pair(_:_:)`).
    private static let (beforeName, beforeValue) = (9, 11)

    init() {}

    /// Reads fields, which are to be written next.
    mutating func read(_ fields: [HeaderField]) -> HARHeader {
        isSame = fields.count == slots.count
        if fields.count < slots.count { slots.removeLast(slots.count - fields.count) }
        while slots.count < fields.count { slots.append(Slot()) }
        var (header, isSame) = (HARHeader(), isSame)
        var slots: [Slot] = []
        swap(&slots, &self.slots)
        text.withUnsafeBytes { text in
            var offset = 0
            for index in fields.indices {
                let slot = slots[index]
                let start = offset &+ (index > 0 ? 1 : 0) &+ Self.beforeName
                offset &+= slot.textCount
                var (name, value) = (fields[index].name, fields[index].value)
                name.withUTF8 { name in
                    let isNamed = slot.nameCount == name.count && Self.isEqual(name, text, at: start)
                    if !isNamed { slots[index].role = HARHeader.role(of: name) }
                    value.withUTF8 { value in
                        slots[index].isSame =
                            isNamed && slot.valueCount == value.count
                            && Self.isEqual(value, text, at: start &+ name.count &+ Self.beforeValue)
                        header.add(slots[index].role, at: index, count: name.count &+ value.count)
                    }
                }
                isSame = isSame && slots[index].isSame
            }
        }
        swap(&slots, &self.slots)
        self.isSame = isSame
        return header
    }

    /// Appends the fields that were read last as the elements of an array.
    mutating func write(_ fields: [HeaderField], into json: inout JSONText) {
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
                    let isPlain = json.pair(fields[index].name, fields[index].value)
                    slots[index].textCount = json.buffer.count &- count
                    slots[index].nameCount = isPlain ? fields[index].name.utf8.count : -1
                    slots[index].valueCount = isPlain ? fields[index].value.utf8.count : -1
                }
                offset = end
            }
            json.buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<offset]))
        }
        swap(&slots, &self.slots)
        text.removeAll()
        text.append(json.buffer, from: start)
    }

    /// Whether bytes stand in a text at a place, where there are at least as many.
    private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: UnsafeRawBufferPointer, at start: Int)
        -> Bool
    {
        guard let first = bytes.baseAddress, let base = text.baseAddress else { return bytes.isEmpty }
        guard start >= 0, start &+ bytes.count <= text.count else { return false }
        return memcmp(base + start, first, bytes.count) == 0
    }
}
