import Glibc

extension TestCertificates {
    /// Runs a shell script in the directory of the certificates, with the arguments as `$1`, `$2`, and so on.
    ///
    /// - Returns: The output without trailing whitespace, or `nil` if the script fails.
    public func script(_ text: String, _ arguments: String...) -> String? {
        let output = "\(directory)/output-\(UInt64.random(in: 0 ... .max))"
        let script = "cd \"$1\" || exit 1; shift; exec > \"$1\" || exit 1; shift; set -e\n" + text
        guard Self.run(["sh", "-c", script, "sh", directory, output] + arguments) else { return nil }
        defer { unlink(output) }
        guard let file = fopen(output, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        var text = String(decoding: bytes[..<count], as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private func identity(_ name: String) -> Identity {
        Identity(certificate: "\(directory)/\(name).pem", key: "\(directory)/\(name).key")
    }

    /// Creates a certificate for names such as `DNS:localhost,IP:127.0.0.1`.
    ///
    /// - Parameters:
    ///   - name: The base name of its files.
    ///   - subject: The subject, such as `/CN=localhost`.
    ///   - alternativeNames: The subject alternative names, or `nil` for a certificate without that extension.
    ///   - issuer: The issuer, or `nil` for a self-signed certificate.
    ///   - isAuthority: Whether the certificate may sign others.
    public func issue(
        _ name: String, subject: String, alternativeNames: String?, by issuer: Identity?, isAuthority: Bool = false
    ) -> Identity? {
        let identity = identity(name)
        var options = ["-subj", subject]
        if let issuer { options += ["-CA", issuer.certificate, "-CAkey", issuer.key] }
        options += ["-addext", "basicConstraints=critical,CA:\(isAuthority ? "TRUE" : "FALSE")"]
        if let alternativeNames { options += ["-addext", "subjectAltName=" + alternativeNames] }
        return Self.make(identity, options) ? identity : nil
    }

    /// Creates a certificate for `localhost` and 127.0.0.1 with a custom validity period, issued by the authority.
    ///
    /// - Parameters:
    ///   - name: The base name of its files.
    ///   - start: The start of the validity period, such as `20990101000000Z`.
    ///   - end: The end of the validity period, such as `20990101000000Z`.
    public func issue(_ name: String, from start: String, to end: String) -> Identity? {
        let identity = identity(name)
        let configuration =
            #"[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\n"#
            + #"policy=p\ncopy_extensions=copy\nunique_subject=no\n[p]\ncommonName=optional\n"#
        let made = script(
            """
            mkdir "$1" && cd "$1"
            : > index.txt; echo 1000 > serial; printf '\(configuration)' > ca.cnf
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost \\
                -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -out request.pem -keyout "$5"
            openssl ca -batch -notext -config ca.cnf -cert ../authority.pem -keyfile ../authority.key \\
                -startdate "$2" -enddate "$3" -in request.pem -out "$4"
            """, name + "-ca", start, end, identity.certificate, identity.key)
        return made == nil ? nil : identity
    }

    /// Creates a file with a certificate followed by those of its issuing authorities.
    public func chain(_ name: String, _ identity: Identity, _ authorities: Identity...) -> Identity? {
        let result = Identity(certificate: "\(directory)/\(name).pem", key: identity.key)
        let files = [identity.certificate] + authorities.map(\.certificate)
        let isMade = Self.run(
            ["sh", "-c", #"output="$1"; shift; cat "$@" > "$output""#, "sh", result.certificate] + files)
        return isMade ? result : nil
    }

    /// Returns a path in the directory.
    public func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Returns the pin of a certificate's public key, computed with `openssl`.
    public func pin(_ identity: Identity) -> String? {
        script(
            """
            openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
                openssl base64 -A
            """, identity.certificate
        ).map { "sha256/" + $0 }
    }
}
