public import Diagnostics

/// Certificates and versions of TLS, as a suite writes them under `tls`.
public struct TLSSpec: Sendable {
    /// A version of TLS.
    public enum Version: String, Sendable, CaseIterable, Comparable {
        /// TLS 1.0.
        case tls10 = "1.0"
        /// TLS 1.1.
        case tls11 = "1.1"
        /// TLS 1.2.
        case tls12 = "1.2"
        /// TLS 1.3.
        case tls13 = "1.3"

        /// Whether a version is older than another.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// A path that resolves against the suite's folder.
    public struct File: Sendable {
        /// The path.
        public var path: Template
        /// The place of the path.
        public var range: SourceRange

        /// Creates a path.
        public init(path: Template, range: SourceRange) {
            self.path = path
            self.range = range
        }
    }

    /// PEM files of authorities that are trusted instead of the system's.
    public var authorities: [File] = []
    /// The PEM file of the client's certificate, followed by those that vouch for it.
    public var certificate: File?
    /// The PEM file of the client's key; nil when it stands in the certificate's file.
    public var key: File?
    /// What the key is encrypted with.
    public var passphrase: Template?
    /// SHA-256 digests of public keys, one of which the server's chain must have, as `sha256/` and base64.
    public var pins: [Template] = []
    /// False accepts any certificate; nil leaves the run's choice.
    public var verifies: Bool?
    /// The name that is sent to the server and that its certificate must have, in place of the URL's host.
    public var serverName: Template?
    /// The oldest version that is accepted.
    public var minimumVersion: Version?
    /// The newest version that is offered.
    public var maximumVersion: Version?
    /// The place of the whole.
    public var range: SourceRange

    /// Creates settings without any.
    public init(range: SourceRange) {
        self.range = range
    }
}
