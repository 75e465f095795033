import Basics
import Diagnostics
import HTTPSession
import SuiteModel
import Synchronization

extension RequestBuilder {
    /// Renders the connection options of the request: TLS, HTTP version, proxy and address of the host.
    ///
    /// - Parameters:
    ///   - base: The options of the run, which apply to everything that the request does not specify.
    ///   - register: Registers a secret.
    /// - Returns: The options, or nil if the request does not specify any.
    func connection(
        _ extras: RequestExtras, base: ConnectionOptions, register: (String) -> Void
    ) throws(TemplateError) -> ConnectionOptions? {
        guard
            extras.tls != nil || extras.proxy != nil || extras.unixSocket != nil || !extras.resolutions.isEmpty
                || extras.httpVersion != nil
        else { return nil }
        var options = base
        switch extras.httpVersion {
        case .http10: options.version = .http10
        case .http11: options.version = .http11
        case .http2: options.version = .http2
        case .auto: options.version = .automatic
        case nil: break
        }
        if let proxy = extras.proxy { options.proxy = try policy(proxy, register: register) }
        if let path = extras.unixSocket { options.unixSocket = absolute(path: try text(path)) }
        if !extras.resolutions.isEmpty {
            var overrides: [ResolveOverride] = []
            for resolution in extras.resolutions {
                overrides.append(try override(resolution))
            }
            // The first matching override applies, so the overrides of the request come first.
            options.resolve = overrides + base.resolve
        }
        if let tls = extras.tls { options.tls = try self.tls(tls, base: base.tls, register: register) }
        return options
    }

    private func override(_ resolution: RequestExtras.Resolution) throws(TemplateError) -> ResolveOverride {
        let target = try text(resolution.target)
        let text = try text(resolution.address)
        // The brackets of an IPv6 host end before the port.
        do throws(ConnectionSettingError) {
            return try ResolveOverride("\(target):\(text)")
        } catch {
            throw TemplateError(message: error.wording, range: resolution.range, expression: target)
        }
    }

    private func absolute(path: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }

    private func policy(_ proxy: RequestExtras.Proxy, register: (String) -> Void) throws(TemplateError) -> ProxyPolicy {
        switch proxy {
        case .none: return .direct
        case .url(let template, let range):
            let url = try text(template)
            do throws(ConnectionSettingError) {
                let proxy = try Proxy(url)
                if let password = proxy.password { register(password) }
                return .proxy(proxy)
            } catch {
                throw TemplateError(message: error.wording, range: range, expression: template.source)
            }
        }
    }

    private func tls(_ spec: TLSSpec, base: TLSOptions, register: (String) -> Void) throws(TemplateError) -> TLSOptions
    {
        var options = base
        if !spec.authorities.isEmpty {
            var files: [String] = []
            for authority in spec.authorities { files.append(try path(authority)) }
            options.trust = .authorities(files)
        }
        switch spec.verifies {
        case false?: options.trust = .insecure
        case true? where spec.authorities.isEmpty && options.trust == .insecure: options.trust = .system
        default: break
        }
        if !spec.pins.isEmpty {
            var pins: [PublicKeyPin] = []
            for template in spec.pins { pins.append(try pin(template, range: spec.range)) }
            // Without certificate verification, only the pins are checked.
            options.trust = options.trust == .insecure ? .pinned(keys: pins) : options.trust.pinning(keys: pins)
        }
        if let certificate = spec.certificate {
            let passphrase = try spec.passphrase.map { template throws(TemplateError) in try text(template) }
            if let passphrase { register(passphrase) }
            let key = try spec.key.map { file throws(TemplateError) in try path(file) }
            options.identity = ClientIdentity(
                certificate: .file(try path(certificate)), key: key.map { .file($0) }, passphrase: passphrase)
        }
        if let version = spec.minimumVersion { options.minimumVersion = TLSVersion(rawValue: version.rawValue) }
        if let version = spec.maximumVersion { options.maximumVersion = TLSVersion(rawValue: version.rawValue) }
        if let name = spec.serverName { options.serverName = try text(name) }
        return options
    }

    private func pin(_ template: Template, range: SourceRange) throws(TemplateError) -> PublicKeyPin {
        let text = try text(template)
        do throws(ConnectionSettingError) {
            return try PublicKeyPin(text)
        } catch {
            throw TemplateError(message: error.wording, range: range, expression: template.source)
        }
    }

    private func path(_ file: TLSSpec.File) throws(TemplateError) -> String {
        try absolutePath(of: try text(file.path), range: file.range)
    }
}

/// The connection options of a run's requests, deduplicated so that connections are found by identity.
final class SharedConnections: Sendable {
    private let known = Mutex<Set<ConnectionOptions>>([])

    /// Returns the first registered options that are equal to the given ones.
    func shared(_ options: ConnectionOptions) -> ConnectionOptions {
        known.withLock { known in
            let (_, first) = known.insert(options)
            return first
        }
    }
}
