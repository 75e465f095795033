import Basics
import CEL
import Diagnostics
import Digests
import JSON
import RunModel
import SuiteModel

/// The checks that few exchanges need.
extension ExchangeCheck {
    /// Checks the rarely used expectations.
    func check(_ extras: ExpectationExtras, _ findings: inout [Finding]) {
        let exchange = content.exchange
        if let schema = extras.schema { check(schema, &findings) }
        if let http = extras.http {
            let version = JSONValue.string(exchange.response?.version ?? "")
            for mismatch in textEvaluator.mismatches(version, http) {
                findings.append(mismatch.finding(subject: "http"))
            }
        }
        for trailer in extras.trailers {
            check(trailer, in: exchange.details?.trailers ?? [], noun: "trailer", &findings)
        }
        if let redirects = extras.redirects {
            check(.number(JSONNumber(exchange.hops.count)), redirects, "redirects", &findings)
        }
        if let hops = extras.hops { check(hops, &findings) }
        for (phase, matcher) in extras.timings { check(phase, matcher, &findings) }
        if let certificate = extras.certificate { check(certificate, &findings) }
        if !extras.events.isEmpty { checkEvents(extras.events, &findings) }
        if let digest = extras.sha256 {
            let hash = exchange.details?.measuredBody?.sha256 ?? SHA256.hash(content.bytes)
            check(.string(Hexadecimal.encode(hash)), digest, "sha256", &findings)
        }
        if let image = extras.image { check(image, &findings) }
        if let exit = extras.exit { check(.number(JSONNumber(content.status)), exit, "exit", &findings) }
        if let stderr = extras.stderr { check(.string(content.errorText), asText: stderr, "stderr", &findings) }
    }

    private func check(
        _ value: JSONValue, asText matcher: Matcher, _ subject: Finding.Subject, _ findings: inout [Finding]
    ) {
        for mismatch in textEvaluator.mismatches(value, matcher) { findings.append(mismatch.finding(subject: subject)) }
    }

    private func check(_ value: JSONValue, _ matcher: Matcher, _ subject: Finding.Subject, _ findings: inout [Finding])
    {
        for mismatch in evaluator.mismatches(value, matcher) { findings.append(mismatch.finding(subject: subject)) }
    }

    // MARK: Redirects

    private func check(_ expected: ExpectationExtras.Hops, _ findings: inout [Finding]) {
        let hops = content.exchange.hops
        switch expected {
        case .list(let matcher):
            let list = hops.map { hop in
                JSONValue.object([
                    "status": .number(JSONNumber(hop.status)), "url": .string(hop.url),
                    "location": .string(hop.location),
                ])
            }
            check(.array(list), matcher, "hops", &findings)
        case .each(let expected, let range):
            for (index, pair) in zip(expected, hops).enumerated() {
                let (wanted, hop) = pair
                let subject = "hop \(index + 1)"
                if let status = wanted.status { check(status, actual: hop.status, "\(subject) status", &findings) }
                if let url = wanted.url { check(.string(hop.url), url, "\(subject) url", &findings) }
                if let location = wanted.location {
                    check(.string(hop.location), location, "\(subject) location", &findings)
                }
            }
            if expected.count != hops.count {
                findings.append(
                    Finding(
                        subject: "hops", type: .init("hops"),
                        message:
                            "expected \(ValueDescription.count(expected.count, "redirect")), got \(hops.count)",
                        expected: .number(JSONNumber(expected.count)), actual: .number(JSONNumber(hops.count)),
                        range: hops.count < expected.count ? expected[hops.count].range : range,
                        details: hops.map { "\($0.status) \($0.url) → \($0.location)" }))
            }
        }
    }

    // MARK: Timings

    private func check(_ phase: ExpectationExtras.Phase, _ matcher: Matcher, _ findings: inout [Finding]) {
        let timings = content.exchange.timings
        let time: Int64? =
            switch phase {
            case .dns: timings.dns
            case .connect: timings.connect
            case .tls: timings.tls
            case .firstByte: timings.firstByte
            case .transfer: timings.transfer
            }
        // A phase that did not occur took no time. Only `exists` distinguishes the two cases.
        let value = time == nil && matcher.asksForExistence ? nil : JSONValue.number(JSONNumber(time ?? 0))
        for mismatch in evaluator.mismatches(value, matcher) {
            findings.append(mismatch.finding(subject: "timings \(phase.rawValue)"))
        }
    }

    // MARK: Certificate

    private func check(_ expected: ExpectationExtras.Certificate, _ findings: inout [Finding]) {
        guard let facts = content.exchange.details?.certificate else {
            findings.append(
                Finding(
                    subject: "certificate", type: .init("certificate"),
                    message: "the connection has no certificate because it does not use TLS", range: expected.range))
            return
        }
        if let subject = expected.subject { check(.string(facts.subject), subject, "certificate subject", &findings) }
        if let issuer = expected.issuer { check(.string(facts.issuer), issuer, "certificate issuer", &findings) }
        if let names = expected.names {
            check(.array(facts.names.map { .string($0) }), names, "certificate names", &findings)
        }
        guard let expiresIn = expected.expiresIn else { return }
        let end = Instant(seconds: facts.notAfter, nanoseconds: 0)
        let now = context.clock()
        let instant = Instant(seconds: now.seconds, nanoseconds: Int64(now.nanoseconds))
        let distance = instant.distance(to: end)
        let isExpired = end < instant
        for var mismatch in evaluator.mismatches(.number(JSONNumber(isExpired ? -distance : distance)), expiresIn) {
            if isExpired, mismatch.kind == .failure {
                mismatch.wording += "; it expired \(Quantity.duration(distance)) ago"
            }
            findings.append(mismatch.finding(subject: "certificate expiresIn"))
        }
    }

    // MARK: Events

    private func checkEvents(_ expected: [ExpectationExtras.Event], _ findings: inout [Finding]) {
        let details = content.exchange.details
        let events = details?.events ?? []
        var matching = EventMatching(expected, evaluator: evaluator)
        for event in events where matching.receive(event) { return }
        var type: String?
        if case .members? = expected.first, content.contentType.mediaType != "text/event-stream" {
            type = content.exchange.response?.header("content-type") ?? "missing"
        }
        if let finding = matching.finding(events, end: details?.streamEnd, type: type) { findings.append(finding) }
    }

    // MARK: Images

    private func check(_ expected: ExpectationExtras.Image, _ findings: inout [Finding]) {
        guard let header = content.exchange.details?.image else {
            let type = content.exchange.response?.header("content-type")
            var message: MessageText = "the body is not an image in a known format"
            if let type { message += " (Content-Type is \(type))" }
            if content.bytes.isEmpty { message = "expected an image, but the body is empty" }
            findings.append(
                Finding(subject: "image", type: .init("image"), message: message, range: expected.range))
            return
        }
        guard let width = header.width, let height = header.height else {
            findings.append(
                Finding(
                    subject: "image", type: .init("image"),
                    message:
                        "the body has the signature of the \(header.format) format, but its header is damaged or cut off; it has \(ValueDescription.count(content.bytes.count, "byte"))",
                    range: expected.range))
            return
        }
        if let format = expected.format { check(.string(header.format), format, "image format", &findings) }
        if let matcher = expected.width { check(.number(JSONNumber(width)), matcher, "image width", &findings) }
        if let matcher = expected.height { check(.number(JSONNumber(height)), matcher, "image height", &findings) }
    }
}
