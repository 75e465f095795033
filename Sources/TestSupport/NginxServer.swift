import Glibc

/// An nginx server for tests: files, ranges, gzip, basic authentication, redirects, uploads, TLS, and HTTP/2.
public final class NginxServer: Sendable {
    /// The port for HTTP/1.1.
    public let port: Int
    /// The port for TLS, with HTTP/2 if the client supports it.
    public let securePort: Int
    /// The port for HTTP/2 with prior knowledge.
    public let plainHTTP2Port: Int
    /// The directory of the served files.
    public let directory: String

    private let process: ServerProcess
    private let root: String

    /// Whether `nginx` is installed, and `openssl` to create its certificate.
    public static let isAvailable = ServerProcess.find("nginx") != nil && TestCertificates.isAvailable

    /// Starts a server, or returns `nil` if that fails.
    ///
    /// - Parameter identity: The certificate and key of the server.
    public static func start(_ identity: TestCertificates.Identity) async -> NginxServer? {
        // Another process may take a free port before nginx does.
        for _ in 0..<5 {
            if let server = await NginxServer(identity) { return server }
        }
        return nil
    }

    private init?(_ identity: TestCertificates.Identity) async {
        var template = Array("/tmp/test-nginx-XXXXXX".utf8CString)
        guard let nginx = ServerProcess.find("nginx"), mkdtemp(&template) != nil,
            let port = ServerProcess.freePort(), let securePort = ServerProcess.freePort(),
            let plainHTTP2Port = ServerProcess.freePort()
        else { return nil }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        directory = root + "/files"
        self.port = port
        self.securePort = securePort
        self.plainHTTP2Port = plainHTTP2Port
        // nginx workers may run as another user, who must be able to read and upload files.
        chmod(root, 0o777)
        for name in ["files", "files/upload", "temporary"] {
            mkdir(root + "/" + name, 0o777)
            chmod(root + "/" + name, 0o777)
        }
        Self.write("hello from nginx\n", to: directory + "/hello.txt")
        Self.write(String(repeating: "compress me, ", count: 4000), to: directory + "/long.txt")
        Self.write(#"{"name":"book","pages":[1,2,3]}"#, to: directory + "/book.json")
        // ada:lovelace, in nginx's notation for plain passwords.
        Self.write("ada:{PLAIN}lovelace\n", to: root + "/users")
        Self.write(
            Self.configuration(
                root: root, identity: identity, port: port, securePort: securePort, plainHTTP2Port: plainHTTP2Port),
            to: root + "/nginx.conf")
        guard let process = ServerProcess([nginx, "-p", root, "-c", root + "/nginx.conf", "-e", root + "/error.log"])
        else { return nil }
        self.process = process
        // nginx writes the file once it listens on all its ports.
        for _ in 0..<4000 {
            if access(root + "/nginx.pid", F_OK) == 0 { return }
            guard process.isRunning else { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    deinit {
        _ = ServerProcess(["rm", "-r", "-f", root])
    }

    /// The HTTP/1.1 URL of the server, without a trailing slash.
    public var url: String { "http://127.0.0.1:\(port)" }
    /// The URL of the server over TLS.
    public var secureURL: String { "https://localhost:\(securePort)" }
    /// The URL of the server for HTTP/2 with prior knowledge.
    public var plainHTTP2URL: String { "http://127.0.0.1:\(plainHTTP2Port)" }

    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
        chmod(path, 0o644)
    }

    private static func configuration(
        root: String, identity: TestCertificates.Identity, port: Int, securePort: Int, plainHTTP2Port: Int
    ) -> String {
        """
        daemon off;
        master_process off;
        pid \(root)/nginx.pid;
        error_log \(root)/error.log;
        worker_processes 1;
        events { worker_connections 512; }
        http {
            access_log off;
            client_body_temp_path \(root)/temporary;
            proxy_temp_path \(root)/temporary;
            fastcgi_temp_path \(root)/temporary;
            uwsgi_temp_path \(root)/temporary;
            scgi_temp_path \(root)/temporary;
            client_max_body_size 100m;
            types { application/json json; text/plain txt; }
            gzip on;
            gzip_types text/plain;
            gzip_min_length 1000;
            ssl_certificate \(identity.certificate);
            ssl_certificate_key \(identity.key);
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(securePort) ssl http2;
                listen 127.0.0.1:\(plainHTTP2Port) http2;
                root \(root)/files;
                location /private/ {
                    auth_basic "Restricted";
                    auth_basic_user_file \(root)/users;
                    alias \(root)/files/;
                }
                location /upload/ {
                    dav_methods PUT DELETE;
                    create_full_put_path on;
                }
                location /old { return 301 /hello.txt; }
                location /keep { return 307 /upload/kept.txt; }
                location /status/404 { return 404 "nothing here"; }
                location /status/204 { return 204; }
                location /slow { limit_rate 20k; alias \(root)/files/long.txt; gzip off; }
            }
        }
        """
    }
}
