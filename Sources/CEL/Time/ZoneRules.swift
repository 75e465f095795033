/// The offsets of a time zone, as a TZif file has them (RFC 9636).
struct ZoneRules: Sendable {
    /// The times from which an offset is in force, ascending.
    private var transitions: [Int64] = []
    private var offsets: [Int64] = []
    /// The offset before the first transition.
    private var initialOffset: Int64 = 0
    /// What is in force after the last transition.
    private var footer: ZoneFooter?

    /// Reads a file's content; nil when it is no TZif file.
    init?(file: [UInt8]) {
        var reader = Reader(bytes: file[...])
        guard let first = reader.header() else { return nil }
        if first.version >= 2 {
            reader.skip(first.size(timeSize: 4))
            guard let second = reader.header(), read(second, timeSize: 8, &reader) else { return nil }
            let text = String(decoding: reader.bytes, as: UTF8.self)
            footer = ZoneFooter(
                text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init) ?? "")
        } else {
            guard read(first, timeSize: 4, &reader) else { return nil }
        }
    }

    /// The offset from UTC in seconds at a time.
    func offset(at seconds: Int64) -> Int64 {
        guard let last = transitions.last else { return footer?.offset(at: seconds) ?? initialOffset }
        if seconds >= last, let footer { return footer.offset(at: seconds) }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initialOffset : offsets[low - 1]
    }

    private mutating func read(_ header: Header, timeSize: Int, _ reader: inout Reader) -> Bool {
        guard reader.bytes.count >= header.size(timeSize: timeSize), header.typeCount > 0 else { return false }
        for _ in 0..<header.timeCount {
            guard let time = reader.integer(timeSize) else { return false }
            transitions.append(time)
        }
        var types: [Int] = []
        for _ in 0..<header.timeCount {
            guard let type = reader.byte() else { return false }
            types.append(Int(type))
        }
        var typeOffsets: [Int64] = []
        for _ in 0..<header.typeCount {
            guard let offset = reader.integer(4) else { return false }
            typeOffsets.append(offset)
            reader.skip(2)
        }
        guard types.allSatisfy({ typeOffsets.indices.contains($0) }) else { return false }
        offsets = types.map { typeOffsets[$0] }
        initialOffset = typeOffsets[0]
        reader.skip(header.characterCount + header.leapCount * (timeSize + 4) + header.standardCount + header.utCount)
        return true
    }

    private struct Header {
        var version: UInt8
        var utCount: Int
        var standardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var characterCount: Int

        func size(timeSize: Int) -> Int {
            timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
                + standardCount + utCount
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func skip(_ count: Int) { bytes = bytes.dropFirst(count) }

        mutating func byte() -> UInt8? { bytes.popFirst() }

        /// A big-endian signed integer.
        mutating func integer(_ size: Int) -> Int64? {
            guard bytes.count >= size else { return nil }
            var value: UInt64 = 0
            for byte in bytes.prefix(size) { value = value << 8 | UInt64(byte) }
            bytes = bytes.dropFirst(size)
            return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }

        mutating func header() -> Header? {
            guard bytes.starts(with: "TZif".utf8) else { return nil }
            skip(4)
            guard let version = byte() else { return nil }
            skip(15)
            var counts: [Int] = []
            for _ in 0..<6 {
                // The counts of a file that is accepted are far below its size.
                guard let count = integer(4), (0...100_000).contains(count) else { return nil }
                counts.append(Int(count))
            }
            return Header(
                version: version >= 0x32 ? version - 0x30 : 1, utCount: counts[0], standardCount: counts[1],
                leapCount: counts[2], timeCount: counts[3], typeCount: counts[4], characterCount: counts[5])
        }
    }
}
