import Basics

/// The `[Options]` of an entry as parts of a step.
struct HurlOptions {
    /// The maximum number of redirects that a suite can follow.
    static let maximumRedirects = 100

    /// The maximum number of attempts with `retry`; nil without it.
    private var attempts: Int?
    /// The number of attempts if a variable gives it.
    private var attemptsExpression: String?
    /// The time between two attempts.
    private var interval = "1s"
    /// The constructs without a translation, with the offsets of their lines.
    private(set) var untranslated: [(construct: String, offset: Int)] = []
    private var tls: [(String, ImportedValue)] = []
    private var timeout: [(String, ImportedValue)] = []
    private var resolved: [(String, ImportedValue)] = []
    /// The maximum number of redirects, which applies only if they are followed.
    private var redirects: Int?
    private var isDigest = false
    /// Whether the user authenticates with a scheme that has no translation.
    private var hasOtherScheme = false
    private var signature: HurlField?
    private var user: ImportedText?

    /// The number of requests that stands for an unlimited number.
    private static let unlimited = 10_000
    /// The options that only change what Hurl prints, or how it computes what apitest does anyway.
    private static let harmless: Set<String> = ["verbose", "very-verbose", "verbosity", "compressed", "path-as-is"]

    /// Reads the options into a step.
    static func apply(
        _ fields: [HurlField], to step: inout ImportedStep, _ scope: inout HurlScope,
        suitePath: (HurlField) -> ImportedText?
    ) -> HurlOptions {
        var options = HurlOptions()
        // Hurl follows no redirects by default.
        step.request.set(.redirects, false)
        for field in fields { options.read(field, &step, &scope, suitePath) }
        options.finish(&step, scope)
        return options
    }

    private mutating func read(
        _ field: HurlField, _ step: inout ImportedStep, _ scope: inout HurlScope,
        _ suitePath: (HurlField) -> ImportedText?
    ) {
        let name = field.name.literal ?? ""
        let value = scope.constant(field.value)
        let isTrue = value == "true"
        switch name {
        case "variable",
            _ where Self.harmless.contains(name):
            break
        case "location", "location-trusted":
            guard isTrue || value == "false" else { return note(field) }
            step.request.set(.redirects, .bool(isTrue))
            if name == "location-trusted", isTrue { note(field) }
        case "max-redirs":
            guard let value, let count = Int(value) else { return note(field) }
            redirects = count < 0 ? Self.maximumRedirects : min(count, Self.maximumRedirects)
        case "insecure": if isTrue { tls.append(("verify", false)) }
        case "cacert": path(field, "ca", suitePath)
        case "cert": path(field, "certificate", suitePath)
        case "key": path(field, "key", suitePath)
        case "http1.0": if isTrue { step.request.set(.http, .plain("1.0")) }
        case "http1.1": if isTrue { step.request.set(.http, .plain("1.1")) }
        case "http2": if isTrue { step.request.set(.http, .integer(2)) }
        case "delay":
            guard let value, let time = Self.time(value, unit: "ms") else { return note(field) }
            step.delay = time
        case "retry":
            if value == "true" {
                attempts = Self.unlimited
            } else if let value, let count = Int(value) {
                attempts = count < 0 ? Self.unlimited : min(count + 1, Self.unlimited)
            } else if value == nil {
                attemptsExpression = "\(scope.text(field.value).soleExpression ?? "0") + 1"
            }
        case "retry-interval":
            guard let value, let time = Self.time(value, unit: "ms") else { return note(field) }
            interval = time == "0ms" ? "1ms" : time
        case "max-time", "connect-timeout":
            guard let value, let time = Self.time(value, unit: "s") else { return note(field) }
            timeout.append((name == "max-time" ? "total" : "connect", .literal(time)))
        case "skip":
            if isTrue { step.skip = "skipped in the Hurl file" } else if value != "false" { note(field) }
        case "proxy":
            let proxy = scope.text(field.value)
            let hasScheme = proxy.template.firstRange(of: "://") != nil
            step.request.set(.proxy, .text(hasScheme ? proxy : "http://" + proxy))
        case "noproxy": if value == "*" { step.request.set(.proxy, false) } else { note(field) }
        case "unix-socket":
            guard let path = value, !path.isEmpty else { return note(field) }
            step.request.set(.unixSocket, .literal(path))
        case "resolve":
            let parts = scope.text(field.value).split(UInt8(ascii: ":"), maximum: 3)
            guard parts.count == 3, let host = parts[0].literal, let port = scope.constant(parts[1]) else {
                return note(field)
            }
            resolved.append(("\(host):\(port)", .text(parts[2])))
        case "user": user = scope.text(field.value)
        case "digest": isDigest = isTrue
        case "ntlm", "negotiate":
            if value == "false" { return }
            hasOtherScheme = true
            note(field)
        case "aws-sigv4": signature = field
        case "output":
            if value == "-" { return }
            guard let path = scope.savedPath(field.value) else { return note(field) }
            step.savedPath = path
        case "header":
            let parts = scope.text(field.value).split(UInt8(ascii: ":"), maximum: 2)
            guard parts.count == 2 else { return note(field) }
            step.request.headers.append(ImportedField(parts[0], parts[1].trimmingStart))
        default:
            if value != "false" { note(field) }
        }
    }

    private mutating func note(_ field: HurlField) {
        untranslated.append(("option \(field.name.literal ?? "")", field.offset))
    }

    private mutating func path(_ field: HurlField, _ key: String, _ suitePath: (HurlField) -> ImportedText?) {
        if let path = suitePath(field) { tls.append((key, .text(path))) } else { note(field) }
    }

    private mutating func finish(_ step: inout ImportedStep, _ scope: HurlScope) {
        if let redirects, step.request.setting(.redirects) == true {
            step.request.set(.redirects, .integer(redirects))
        }
        if !tls.isEmpty { step.request.set(.tls, .map(tls)) }
        if !timeout.isEmpty { step.request.set(.timeout, .map(timeout)) }
        if !resolved.isEmpty { step.request.set(.resolve, .map(resolved)) }
        authenticate(&step, scope)
    }

    private mutating func authenticate(_ step: inout ImportedStep, _ scope: HurlScope) {
        let parts = user?.split(UInt8(ascii: ":"), maximum: 2) ?? []
        let password = parts.count > 1 ? parts[1] : ""
        if hasOtherScheme { step.request.url = step.request.url.withoutUserInformation }
        if let signature {
            let signed = scope.constant(signature.value).map { CurlSignature($0, of: step.request.url) }
            guard let user = parts.first, let signed, signed.isComplete, signed.otherProvider == nil else {
                return note(signature)
            }
            step.request.auth = signed.auth(accessKey: user, secretKey: password)
        } else if let user = parts.first, !hasOtherScheme {
            step.request.auth =
                isDigest ? .digest(username: user, password: password) : .basic(username: user, password: password)
        }
    }

    // MARK: Retries

    /// Turns `retry` into polling, or into retries if the conditions use captures of the same step.
    func poll(_ step: inout ImportedStep) {
        guard let attempts = attempts ?? attemptsExpression.map({ _ in 2 }), attempts > 1 else { return }
        if step.captures.isEmpty, attemptsExpression == nil {
            var polling = ImportedStep.Polling(step.checks)
            polling.every = interval
            polling.times = .integer(attempts)
            step.polling = polling
            step.checks = []
            return
        }
        let times = attemptsExpression.map { ImportedValue.expression("\($0) - 1") }
        step.retry = .map([
            ("times", times ?? .integer(min(attempts - 1, 100))), ("delay", .literal(interval)),
        ])
    }

    // MARK: Times

    /// Returns a time with or without a unit as a duration; nil if it is not valid.
    private static func time(_ text: String, unit: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "": return unit == "ms" ? DurationText.milliseconds(number) : "\(number)\(unit)"
        case "ms": return DurationText.milliseconds(number)
        case "s": return "\(min(number, 1_000_000_000))s"
        case "m": return "\(min(number, 10_000_000))m"
        case "h": return "\(min(number, 100_000))h"
        default: return nil
        }
    }
}

extension ImportedText {
    /// The string without blanks at its start.
    var trimmingStart: ImportedText {
        guard case .literal(let first)? = parts.first else { return self }
        var result = ImportedText(first.drop { $0 == " " || $0 == "\t" })
        for part in parts.dropFirst() {
            switch part {
            case .literal(let text): result.append(literal: text)
            case .expression(let source): result.append(expression: source)
            }
        }
        return result
    }
}
