import Basics
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A resolver of host names for one event loop: literals and `localhost` immediately, names off the loop and cached.
final class HostResolver {
    /// The resolver's error for a name without an address.
    struct Failure: Error {
        var message: MessageText
    }

    private struct Entry {
        var addresses: EventLoopFuture<[SocketAddress]>
        var until: UInt64
    }

    /// Results are cached for one minute, a common choice, because the system resolver does not report the TTL.
    private static let lifetime: UInt64 = 60_000_000_000

    private let eventLoop: any EventLoop
    private var cache: [String: Entry] = [:]

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Returns the addresses of a literal or of `localhost`; nil for names that must be looked up.
    ///
    /// `localhost` is always loopback (RFC 6761, section 6.3), IPv4 first, because most servers listen there.
    func immediate(_ host: String, port: Int) -> [SocketAddress]? {
        if host == "localhost" || host.hasSuffix(".localhost") {
            return ["127.0.0.1", "::1"].compactMap { try? SocketAddress(ipAddress: $0, port: port) }
        }
        guard IPAddress.isLiteral(host) else { return nil }
        return Self.address(host, port: port).map { [$0] }
    }

    /// Returns the address of a literal, with an optional zone (RFC 4007, section 11); nil if it or its zone is
    /// unknown.
    static func address(_ literal: String, port: Int) -> SocketAddress? {
        guard literal.utf8.contains(UInt8(ascii: "%")) else {
            return try? SocketAddress(ipAddress: literal, port: port)
        }
        var address = (try? addresses(literal, isLiteral: true))?.first
        address?.port = port
        return address
    }

    /// Looks up a name; concurrent lookups of the same name are merged.
    func lookUp(_ host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        let now = MonotonicClock.now()
        let future: EventLoopFuture<[SocketAddress]>
        if let entry = cache[host], entry.until > now {
            future = entry.addresses
        } else {
            if cache.count >= 1024 { cache.removeAll() }
            future = NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try Self.addresses(host) }
            cache[host] = Entry(addresses: future, until: MonotonicClock.deadline(Self.lifetime, after: now))
            future.assumeIsolated().whenFailure { _ in self.forget(host) }
        }
        return future.map { addresses in
            addresses.map { address in
                var address = address
                address.port = port
                return address
            }
        }
    }

    /// Removes a name from the cache, after none of its addresses could be reached.
    func forget(_ host: String) {
        cache[host] = nil
    }

    private static func addresses(_ host: String, isLiteral: Bool = false) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        if isLiteral { hints.ai_flags = AI_NUMERICHOST }
        #if canImport(Glibc)
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            throw Failure(
                message: MessageText(
                    words: code == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET:
                    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        addresses.append(SocketAddress($0.pointee))
                    }
                case AF_INET6:
                    address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        addresses.append(SocketAddress($0.pointee))
                    }
                default: break
                }
            }
            next = info.ai_next
        }
        guard !addresses.isEmpty else { throw Failure(message: "it has no IP address") }
        return addresses
    }
}

/// The order in which the addresses of a host are tried.
enum AddressOrder {
    /// Alternates between the address families, starting with that of the first address (RFC 8305, section 4).
    ///
    /// The system's resolver puts IPv6 addresses first if they are reachable (RFC 6724).
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
