/// The value of curl's option `--aws-sigv4`: `provider1[:provider2[:region[:service]]]`.
struct CurlSignature {
    /// The provider if it is not AWS, which has other header fields.
    let otherProvider: String?
    private let region: String
    private let service: String

    /// Reads a value.
    ///
    /// - Parameter url: The URL of the request. Without a region and a service, they stand in its host:
    ///   `SERVICE.REGION.…`.
    init(_ text: String, of url: ImportedText) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let host = (URLParts(url).authority ?? "").split(separator: ".").map(String.init)
        region = parts.count > 2 ? parts[2] : host.count > 1 ? host[1] : ""
        service = parts.count > 3 ? parts[3] : host.first ?? ""
        otherProvider = parts.first.flatMap { $0.lowercased() == "aws" ? nil : $0 }
    }

    /// Whether the region and the service are known.
    var isComplete: Bool { !region.isEmpty && !service.isEmpty }

    /// Returns the authentication with a user's keys.
    func auth(accessKey: ImportedText, secretKey: ImportedText) -> ImportedAuth {
        .awsSigV4([
            .init("accessKey", .text(accessKey)), .init("secretKey", .text(secretKey)),
            .init("region", .literal(region)), .init("service", .literal(service)),
        ])
    }
}
