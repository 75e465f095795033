/// The ways in which the paths of requests to one host may be read, in the order in which they count.
///
/// ``OperationRouter`` works them out once for each host, as they depend on nothing else of a request.
final class OriginRoutes: Sendable {
    /// A way to read a path: the paths of which servers, and what precedes them.
    struct Candidate: Sendable, Equatable {
        let group: Int
        let prefix: [UInt8]
        /// The number of the way to read paths: of candidates with the same one the most concrete template counts.
        let reading: Int
    }

    /// A candidate, as a place in the bytes of all prefixes.
    struct Way: Sendable {
        let group: Int32
        let prefix: Int32
        let prefixCount: Int32
        let reading: Int32
    }

    /// The scheme, `://` and the authority as they stand in URLs.
    let origin: [UInt8]
    /// Whether requests go to another API.
    let isElsewhere: Bool
    let ways: [Way]
    let prefixes: [UInt8]

    init(origin: [UInt8], isElsewhere: Bool, candidates: [Candidate]) {
        self.origin = origin
        self.isElsewhere = isElsewhere
        var ways: [Way] = []
        var prefixes: [UInt8] = []
        for (index, candidate) in candidates.enumerated()
        where !candidates[..<index].contains(where: { $0.group == candidate.group && $0.prefix == candidate.prefix }) {
            ways.append(
                Way(
                    group: Int32(clamping: candidate.group), prefix: Int32(clamping: prefixes.count),
                    prefixCount: Int32(clamping: candidate.prefix.count), reading: Int32(clamping: candidate.reading)))
            prefixes += candidate.prefix
        }
        self.ways = ways
        self.prefixes = prefixes
    }

    /// Whether a URL goes to this host, and has a path.
    func isOrigin(of url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard url.count > origin.count, url[origin.count] == UInt8(ascii: "/") else { return false }
        for index in origin.indices where url[index] != origin[index] { return false }
        return true
    }

    /// Where the path of a URL begins that has a scheme, a host and a path; nil for any other URL.
    static func originEnd(of url: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 3 < url.count,
            url[colon + 1] == UInt8(ascii: "/"), url[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        for byte in url[..<colon] {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                continue
            default: return nil
            }
        }
        var end = colon + 3
        while end < url.count, url[end] != UInt8(ascii: "/") {
            if url[end] == UInt8(ascii: "?") || url[end] == UInt8(ascii: "#") { return nil }
            end += 1
        }
        return end < url.count ? end : nil
    }

    /// Where the path of a URL ends that begins at an index.
    static func pathEnd(of url: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < url.count, url[end] != UInt8(ascii: "?"), url[end] != UInt8(ascii: "#") { end += 1 }
        return end
    }
}
