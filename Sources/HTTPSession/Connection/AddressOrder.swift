import NIOCore

/// The order in which the addresses of a host are tried.
enum AddressOrder {
    /// Takes addresses of both families in turn, the first one's family first (RFC 8305 section 4).
    ///
    /// The system's resolver puts IPv6 addresses first where there is a way to them (RFC 6724).
    static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let first = addresses.first else { return [] }
        let same = addresses.filter { $0.protocol == first.protocol }
        let others = addresses.filter { $0.protocol != first.protocol }
        guard !others.isEmpty else { return addresses }
        var result: [SocketAddress] = []
        result.reserveCapacity(addresses.count)
        for index in 0..<max(same.count, others.count) {
            if index < same.count { result.append(same[index]) }
            if index < others.count { result.append(others[index]) }
        }
        return result
    }
}
