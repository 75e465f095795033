import Basics
import JSON
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
                read(
                    value, keyNode, RequestReader.headerKind, RequestMembers.header, into: &defaults.headers,
                    expected: "a string or a sequence"
                ) { requests.addHeader($0, $1, keepsNulls: true, to: &$2) }
            case .query:
                read(value, keyNode, .value, RequestMembers.parameter, into: &defaults.query) {
                    requests.addParameter($0, $1, keepsNulls: true, to: &$2)
                }
            case .cookies:
                read(
                    value, keyNode, .anyOf([.text, .null]), RequestMembers.cookie, into: &defaults.cookies,
                    expected: "a string"
                ) { requests.addCookie($0, $1, to: &$2) }
            case .queryStyle: requests.queryStyle(value).map { defaults.queryStyle = $0 }
            case .timeout: record { requests.timeout(value, keyNode, into: &defaults.timeout) }
            case .redirects: requests.redirects(value).map { defaults.maximumRedirects = $0 }
            case .maxBodySize: record { defaults.maximumBodySize = context.size(value, keyNode) }
            case .compress, .auth, .http, .tls, .proxy, .unixSocket, .resolve, .trace:
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

    /// Reads a mapping of defaults, or an expression for it. A null removes a default of a settings file.
    ///
    /// - Parameter expected: A description of a value, for a null that removes nothing; nil if such a null is allowed.
    private func read<Item: RequestItem>(
        _ node: YAMLNode, _ key: YAMLNode, _ kind: ValueKind,
        _ make: @escaping @Sendable (String, JSONValue) throws(InvalidSetting) -> Item,
        into named: inout SuiteDefaults.Named<Item>, expected: String? = nil,
        add: (YAMLNode, YAMLNode, inout RequestItems<Item>) -> Void
    ) {
        guard node.kind != .scalar else {
            let (whole, uses) = context.recordingUses { context.wholeMap(node, key, make) }
            if let whole { named.add(whole, removing: RequestItems(), uses: [uses]) }
            return
        }
        var own = RequestItems<Item>()
        var removed = RequestItems<Item>()
        var uses: [Range<Int>] = []
        context.readMembers(node, kind) { _, key, value in
            guard value.isNull else { return uses.append(context.recordingUses { add(key, value, &own) }.1) }
            if value.isReported { return }
            add(key, value, &removed)
            if let expected, let item = removed.items.last, removed.isKnown, named.items.isKnown,
                !named.items.items.contains(where: { $0.hasName(of: item) })
            {
                context.reportType(value, expected: expected, key: key)
            }
        }
        named.add(own, removing: removed, uses: uses)
    }
}
