/// What connections must have in common to be shared.
struct Origin: Hashable {
    var host: String
    var port: Int
    /// Nil over plain TCP.
    var trust: TrustPolicy?

    init(_ request: TransportRequest) {
        host = request.url.host
        port = request.url.port
        trust = request.url.isSecure ? request.trust : nil
    }
}
