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
                read(value, keyNode, RequestReader.headerKind, RequestMembers.header, into: &defaults.headers) {
                    requests.addHeader($0, $1, keepsNulls: true, to: &$2)
                }
            case .query:
                read(value, keyNode, .value, RequestMembers.parameter, into: &defaults.query) {
                    requests.addParameter($0, $1, keepsNulls: true, to: &$2)
                }
            case .cookies:
                read(value, keyNode, .anyOf([.text, .null]), RequestMembers.cookie, into: &defaults.cookies) {
                    requests.addCookie($0, $1, to: &$2)
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

    /// Reads a mapping of defaults, or an expression for it.
    private func read<Item: RequestItem>(
        _ node: YAMLNode, _ key: YAMLNode, _ kind: ValueKind,
        _ make: @escaping @Sendable (String, JSONValue) throws(InvalidSetting) -> Item,
        into named: inout SuiteDefaults.Named<Item>, add: (YAMLNode, YAMLNode, inout RequestItems<Item>) -> Void
    ) {
        guard node.kind != .scalar else {
            let (whole, uses) = context.recordingUses { context.wholeMap(node, key, make) }
            if let whole { named.add(whole, uses: [uses]) }
            return
        }
        var own = RequestItems<Item>()
        var uses: [Range<Int>] = []
        var removed: [Item] = []
        let inherited = named.items
        context.readMembers(node, kind) { _, key, value in
            let count = own.items.count
            let recorded = context.recordingUses { add(key, value, &own) }.1
            guard own.items.count > count, let item = own.items.last else { return }
            uses.append(recorded)
            guard value.isNull, !value.isUndefinedAlias else { return }
            removed.append(item)
            // A query parameter that is null is left out in any case.
            if kind.forms != .any, inherited.isKnown, !inherited.items.contains(where: { item.hasName(of: $0) }) {
                context.reportType(value, of: kind, key: key)
            }
        }
        named.add(own, uses: uses)
        named.remove { item in removed.contains { $0.hasName(of: item) } }
    }
}
