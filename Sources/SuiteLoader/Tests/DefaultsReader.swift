import Basics
import SuiteModel
import YAML

/// Reads `defaults`.
struct DefaultsReader {
    /// The shared state of the readers.
    let context: LoadContext

    /// Returns the defaults of the settings files and the suite; each overrides those before it, as a step does.
    func defaults(_ entries: [SuiteReader.Entry]) -> SuiteDefaults {
        entries.reduce(SuiteDefaults()) { inherited, entry in
            context.reading(in: entry.directory) { defaults(entry.value, inherited: inherited) }
        }
    }

    /// Returns the defaults of a node, which override inherited ones.
    func defaults(_ node: YAMLNode, inherited: SuiteDefaults = SuiteDefaults()) -> SuiteDefaults {
        let requests = RequestReader(context, defaults: inherited)
        var defaults = inherited
        let firstUse = context.uses.count
        MapReader(context, DefaultsKey.schema).read(node) { key, keyNode, value in
            func record(_ read: () -> Void) {
                let uses = context.recordingUses(read).1
                guard let requestKey = RequestKey(rawValue: key.rawValue) else { return }
                if ![.tls, .resolve, .timeout].contains(requestKey) {
                    defaults.extraUses.removeAll { $0.key == requestKey }
                }
                if !uses.isEmpty { defaults.extraUses.append((requestKey, uses)) }
            }
            switch key {
            case .headers:
                context.readMembers(value, RequestReader.headerKind) { name, key, value in
                    let isInherited = defaults.headers.remove { NameRules.areEqualIgnoringCase($0.name, name) }
                    if isNull(value, key, isInherited, expected: "a string or a sequence") { return }
                    add(to: &defaults.headers) { requests.header(name, key, value) }
                }
            case .query:
                context.readMembers(value, .value) { name, key, value in
                    defaults.query.remove { $0.name.constantText == name }
                    add(to: &defaults.query) { requests.parameter(key, value) }
                }
            case .cookies:
                context.readMembers(value, .anyOf([.text, .null])) { name, key, value in
                    let isInherited = defaults.cookies.remove { $0.name.constantText == name }
                    if isNull(value, key, isInherited, expected: "a string") { return }
                    add(to: &defaults.cookies) { requests.cookie(name, key, value) }
                }
            case .queryStyle: requests.queryStyle(value).map { defaults.queryStyle = $0 }
            case .timeout: record { requests.timeout(value, keyNode, into: &defaults.timeout) }
            case .redirects: requests.redirects(value).map { defaults.maximumRedirects = $0 }
            case .maxBodySize: record { defaults.maximumBodySize = context.size(value, keyNode) }
            case .compress, .auth, .http, .tls, .proxy, .unixSocket, .resolve:
                guard let requestKey = RequestKey(rawValue: key.rawValue) else { return }
                var extras = defaults.extras ?? RequestExtras()
                record { RequestExtrasReader(context).read(requestKey, value, into: &extras) }
                defaults.extras = extras.isEmpty ? nil : extras
            // All schemas need it, so it was read before everything else.
            case .schemaFormat: break
            case .retry:
                (defaults.retry, defaults.retryUses) = context.recordingUses { RetryReader(context).rule(value) }
            case .cookieJar:
                context.choice(value, SuiteTest.CookieJarMode.self).map { defaults.cookieJar = $0 }
            case .expect:
                var start = context.uses.count
                var expectations = defaults.expectations
                ExpectReader(context).read(value, into: &expectations) { key in
                    let position = ExpectKey.schema.keys.firstIndex(of: key) ?? 0
                    defaults.expectationUses[position] = start..<context.uses.count
                    start = context.uses.count
                }
                defaults.expectations = expectations
            }
        }
        defaults.hasUses = inherited.hasUses || context.uses.count > firstUse
        return defaults
    }

    /// Returns whether a value is null, which removes a default of a settings file; reports an error if it has none.
    private func isNull(_ value: YAMLNode, _ key: YAMLNode, _ isInherited: Bool, expected: String) -> Bool {
        guard value.isNull, !value.isUndefinedAlias else { return false }
        if !isInherited { context.reportType(value, expected: expected, key: key) }
        return true
    }

    private func add<Item>(to named: inout SuiteDefaults.Named<Item>, _ read: () -> Item?) {
        let (item, uses) = context.recordingUses(read)
        guard let item else { return }
        named.items.append(item)
        named.uses.append(uses)
    }
}
