import Glibc

extension TestCertificates {
    /// Runs a shell script in the folder of the certificates, in which `$1`, `$2`, … are the arguments.
    /// - Returns: What it has written, without white space at the end; nil if it has failed.
    public func script(_ text: String, _ arguments: String...) -> String? {
        let output = "\(folder)/output-\(UInt64.random(in: 0 ... .max))"
        let script = "cd \"$1\" || exit 1; shift; exec > \"$1\" || exit 1; shift; set -e\n" + text
        guard Self.run(["sh", "-c", script, "sh", folder, output] + arguments) else { return nil }
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
        Identity(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
    }

    /// Makes a certificate for the names, as in `DNS:localhost,IP:127.0.0.1`.
    /// - Parameters:
    ///   - name: A name for its files.
    ///   - subject: Its subject, as in `/CN=localhost`.
    ///   - alternativeNames: The names that it is for; nil for a certificate without that extension.
    ///   - issuer: Who signs it; nil for itself.
    ///   - isAuthority: Whether it may sign others.
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

    /// Makes a certificate for `localhost` and 127.0.0.1, issued by the authority, with a validity of its own.
    /// - Parameters:
    ///   - name: A name for its files.
    ///   - start: As in `20990101000000Z`.
    ///   - end: As in `20990101000000Z`.
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

    /// A certificate file followed by those of the authorities that vouch for it.
    public func chain(_ name: String, _ identity: Identity, _ authorities: Identity...) -> Identity? {
        let result = Identity(certificate: "\(folder)/\(name).pem", key: identity.key)
        let files = [identity.certificate] + authorities.map(\.certificate)
        let isMade = Self.run(
            ["sh", "-c", #"output="$1"; shift; cat "$@" > "$output""#, "sh", result.certificate] + files)
        return isMade ? result : nil
    }

    /// A path in the folder.
    public func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// The pin of a certificate's key, as the `openssl` command gives it.
    public func pin(_ identity: Identity) -> String? {
        script(
            """
            openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
                openssl base64 -A
            """, identity.certificate
        ).map { "sha256/" + $0 }
    }
}
