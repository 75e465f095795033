/// What connections must have in common to be shared.
struct Origin: Hashable {
    var host: String
    var port: Int
    /// Whether the connection is secured by TLS.
    var isSecure: Bool
    /// How it is made.
    var options: ConnectionOptions

    init(_ request: TransportRequest) {
        host = request.url.host
        port = request.url.port
        isSecure = request.url.isSecure
        options = request.connection
    }
}
