import Basics
import Diagnostics
import HTTPSession

/// Amazon S3 or a compatible store, as the environment describes it.
struct ObjectStore: Sendable {
    /// The environment variables that the command line of Amazon Web Services defines.
    private enum Variable {
        static let accessKey = "AWS_ACCESS_KEY_ID"
        static let secretKey = "AWS_SECRET_ACCESS_KEY"
        static let sessionToken = "AWS_SESSION_TOKEN"
        static let regions = ["AWS_REGION", "AWS_DEFAULT_REGION"]
        static let endpoints = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]
    }

    /// The region of stores that have none.
    private static let defaultRegion = "us-east-1"

    let credentials: AWSCredentials
    let region: String
    /// The URL of a compatible store; nil for Amazon S3.
    let endpoint: HTTPURL?

    /// Reads the credentials, the region and the endpoint.
    ///
    /// - Parameter environment: The environment of the process.
    /// - Throws: ``StorageError`` if a variable is missing or invalid.
    init(environment: [String: String]) throws(StorageError) {
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        guard let accessKey = variable(Variable.accessKey), let secretKey = variable(Variable.secretKey) else {
            let missing = [Variable.accessKey, Variable.secretKey].filter { variable($0) == nil }
            throw StorageError(
                .environmentVariable,
                message: "the credentials of the object store are missing: set \(missing.joined(separator: " and "))")
        }
        credentials = AWSCredentials(
            accessKey: accessKey, secretKey: secretKey, sessionToken: variable(Variable.sessionToken))
        if let name = Variable.endpoints.first(where: { variable($0) != nil }), let text = variable(name) {
            do throws(HTTPURLError) {
                endpoint = try HTTPURL(text).asDirectory
            } catch {
                throw StorageError(.environmentVariable, message: "\(name): \(error.wording)")
            }
        } else {
            endpoint = nil
        }
        let region = Variable.regions.lazy.compactMap { variable($0) }.first
        guard let region = region ?? (endpoint == nil ? nil : Self.defaultRegion) else {
            throw StorageError(
                .environmentVariable,
                message: "the region of the object store is missing: set \(Variable.regions[0])")
        }
        // The region becomes part of a host name.
        guard region.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }) else {
            throw StorageError(.environmentVariable, message: "\(Variable.regions[0]): \"\(region)\" is not a region")
        }
        self.region = region
    }

    /// The values that all output must mask.
    var secrets: [String] { [credentials.secretKey, credentials.sessionToken].compactMap(\.self) }

    /// The adapter that signs requests.
    var signature: AWSSignatureV4 { AWSSignatureV4(credentials: credentials, region: region, service: "s3") }

    /// Returns the URL of an object, or of the bucket if the key is empty.
    ///
    /// - Parameter query: Names and values.
    func url(bucket: String, key: String, query: [(name: String, value: String)] = []) -> String {
        let path = PercentEncoding.encode(key) { ASCII.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        let pairs = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        return base(of: bucket) + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// Returns the URL of a bucket, with "/" at its end.
    private func base(of bucket: String) -> String {
        if let endpoint { return "\(endpoint)\(bucket)/" }
        let domain = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        // The certificate covers one label before the domain, of lowercase letters, digits and hyphens.
        let isLabel = bucket.utf8.allSatisfy {
            ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || ASCII.isLetter($0) && ASCII.lowercased($0) == $0
        }
        return isLabel ? "https://\(bucket).\(domain)/" : "https://\(domain)/\(bucket)/"
    }
}
