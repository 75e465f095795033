import Diagnostics
import YAML

/// Translates the tests of a gabbi file.
struct GabbiTranslator {
    private let file: SourceFile
    private var references = GabbiReferences()

    init(_ file: SourceFile) { self.file = file }

    /// The keys of tests that are translated elsewhere, or that only concern the runs of gabbi itself.
    private static let known: Set<String> = [
        "name", "desc", "method", "url", "data", "request_headers", "query_parameters", "redirects", "cert_validate",
        "ssl", "xfail", "skip", "poll", "timeout", "http_version", "verbose",
    ]
    /// The keys that matter only if their value is not the default.
    private static let defaults: [String: Bool] = [
        "use_prior_test": true, "disable_response_handler": false,
    ]

    /// Returns the suite of a file.
    mutating func suite(_ root: YAMLNode, name: String, _ context: inout ImportContext) -> ImportedSuite {
        var suite = ImportedSuite(name: name, source: file.name)
        suite.baseURL = .variable(references.baseURL)
        let defaults = root["defaults"]
        // It concerns the output, so one comment is enough.
        let tests = root["tests"]?.elements ?? []
        if let verbose = ([defaults] + tests).compactMap({ $0?["verbose"] }).first,
            PythonScalar(verbose)?.isTrue ?? false
        {
            suite.notes.append(
                context.untranslated(
                    "verbose", in: file, line: verbose.line, source: "use --verbose on the command line"))
        }
        for (key, value) in root.members {
            switch key.text {
            case "tests", "defaults": break
            case "fixtures":
                let names = value.elements.compactMap(\.text).joined(separator: ", ")
                suite.notes.append(context.untranslated("fixtures", in: file, line: key.line, source: names))
            default:
                suite.notes.append(
                    context.untranslated(key.text ?? "", in: file, line: key.line, source: value.sourceText))
            }
        }
        for node in root["tests"]?.elements ?? [] {
            let test = GabbiTest(node, defaults: defaults)
            let translated = translate(test, &context)
            references.add(translated, name: test.name)
        }
        suite.tests = references.tests
        suite.variables = references.environment
        return suite
    }

    private func note(_ key: String, _ test: GabbiTest, _ context: inout ImportContext) -> ImportNote {
        let node = test.any(key) ?? test.node
        return context.untranslated(key, in: file, line: node.line, source: "\(key): \(node.sourceText)")
    }

    // MARK: Tests

    private mutating func translate(_ test: GabbiTest, _ context: inout ImportContext) -> ImportedTest {
        references.isLenient = test.scalar("xfail")?.isTrue ?? false
        var step = ImportedStep(request(test, &context))
        var result = ImportedTest(test.name)
        result.description = test.scalar("desc")?.text
        if test.scalar("xfail")?.isTrue ?? false { result.expectedFailure = "expected to fail in the gabbi file" }
        if let skip = test.scalar("skip"), skip.isTrue {
            let reason = references.text(skip.text)
            if let literal = reason.literal {
                result.skip = literal
            } else {
                step.condition = "\(reason.concatenation) == \"\""
            }
        }
        if let body = self.body(test, &step.request, &step.notes, &context) { step.request.body = body }
        timeout(test, &step, &context)
        origin(of: step.request.url)
        var checks = GabbiChecks(file)
        checks.translate(test, &references, &context)
        // The value of a failed test is null. gabbi fails then, and sends no request.
        step.checks = checks.checks + references.takeLenient().map { .assertion("\($0) != null") }
        step.checkNotes = checks.notes
        poll(test, &step, &context)
        for key in test.keys
        where !Self.known.contains(key) && !key.hasPrefix("response_") && key != "status" && !GabbiTest.isMethod(key) {
            if let usual = Self.defaults[key], test.scalar(key)?.isTrue == usual { continue }
            step.notes.append(note(key, test, &context))
        }
        if test.scalar("ssl")?.isTrue ?? false, URLParts(step.request.url).origin.isEmpty {
            step.notes.append(note("ssl", test, &context))
        }
        for construct in references.takeUntranslated() {
            step.notes.append(context.untranslated(construct, in: file, line: test.node.line))
        }
        result.steps = [step]
        return result
    }

    /// Remembers the origin of an absolute URL for `$SCHEME` and `$NETLOC`.
    private mutating func origin(of url: ImportedText) {
        references.origin = nil
        guard let origin = URLParts(url).origin.literal, let colon = origin.firstRange(of: "://") else { return }
        references.origin = (String(origin[..<colon.lowerBound]), String(origin[colon.upperBound...]))
    }

    private mutating func poll(_ test: GabbiTest, _ step: inout ImportedStep, _ context: inout ImportContext) {
        let members = test.map("poll")
        if members.isEmpty { return }
        func number(_ key: String, _ usual: Double) -> Double? {
            guard let node = members.first(where: { $0.key == key })?.value else { return usual }
            return node.text.flatMap { Double($0) }
        }
        let count = number("count", 1)
        let counted = members.first { $0.key == "count" }?.value.text.map { references.text($0) }
        guard let delay = number("delay", 1), delay >= 0, delay < 100_000,
            let times = count.map({ (1...10_000).contains($0) ? ImportedValue.integer(Int($0)) : nil })
                ?? counted.map({ ImportedValue.expression("int(double(\($0.concatenation)))") })
        else {
            step.notes.append(note("poll", test, &context))
            return
        }
        if let count, count < 2 { return }
        var polling = ImportedStep.Polling(step.checks)
        polling.every = DurationText.milliseconds(Int(delay * 1_000))
        polling.times = times
        step.polling = polling
        step.checks = []
    }

    // MARK: Requests

    private mutating func request(_ test: GabbiTest, _ context: inout ImportContext) -> ImportedRequest {
        var request = ImportedRequest(method: test.method, url: references.text(test.url?.text ?? ""))
        for (name, value) in test.map("query_parameters") {
            for element in value.listed {
                let text = references.text(PythonScalar(element)?.text ?? element.sourceText)
                request.query.append(ImportedField(ImportedText(name), text))
            }
        }
        for (name, value) in test.map("request_headers") {
            let text = references.text(PythonScalar(value)?.text ?? value.sourceText)
            request.headers.append(ImportedField(references.text(name), text))
        }
        request.set(.redirects, .bool(test.scalar("redirects")?.isTrue ?? false))
        if test.scalar("cert_validate")?.isTrue == false { request.set(.tls, .map([("verify", false)])) }
        if test.scalar("http_version") == .number("2") { request.set(.http, .integer(2)) }
        return request
    }

    private func timeout(_ test: GabbiTest, _ step: inout ImportedStep, _ context: inout ImportContext) {
        guard let seconds = test.node("timeout")?.text, seconds != "30" else { return }
        if let duration = Double(seconds).flatMap({ DurationText.seconds($0) }) {
            step.request.set(.timeout, .map([("total", .literal(duration))]))
        } else {
            step.notes.append(note("timeout", test, &context))
        }
    }

    private mutating func body(
        _ test: GabbiTest, _ request: inout ImportedRequest, _ notes: inout [ImportNote], _ context: inout ImportContext
    ) -> ImportedBody? {
        guard let node = test.data else { return nil }
        let type = request.header("Content-Type")?.literal?.lowercased()
        let body: ImportedBody
        switch PythonScalar(node) {
        case .string("")?: return nil
        case .string(let text)? where text.hasPrefix("<@"):
            do throws(ImportFiles.Failure) {
                body = try self.body(fromFile: String(text.dropFirst(2)), type, &context)
            } catch {
                notes.append(
                    context.untranslated("\"\(text)\", which \(error.reason)", in: file, line: node.line))
                return nil
            }
        case .string(let text)?:
            let template = GabbiTemplate(text)
            if let reference = template.soleReference, reference.kind == .response || reference.kind == .environ,
                Self.isJSON(type)
            {
                // gabbi writes a value that is not text as JSON.
                body = .json(references.value(text))
            } else {
                body = self.body(text, type)
            }
        case .null?, .bool?, .number?, nil:
            guard Self.isJSON(type) || type == nil else {
                notes.append(
                    context.untranslated(
                        "data for \(type ?? "")", in: file, line: node.line, source: node.sourceText))
                return nil
            }
            body = .json(node.pythonValue { references.value($0) })
        }
        // gabbi sends no type of its own.
        if request.header("Content-Type") == nil { request.suppressedHeaders.append("Content-Type") }
        return body
    }

    /// Returns the contents of a file as a body: its text if it has references, which gabbi replaces in text.
    private mutating func body(
        fromFile name: String, _ type: String?, _ context: inout ImportContext
    ) throws(ImportFiles.Failure) -> ImportedBody {
        let path = try context.files.suitePath(name, from: file)
        // A file that is too large to be read here can still be sent.
        guard Self.isText(type), let bytes = try? context.files.read(name, from: file),
            let text = String(validating: bytes, as: UTF8.self), GabbiTemplate(text).literal == nil
        else { return .file(ImportedText(path)) }
        return body(text, type)
    }

    private mutating func body(_ text: String, _ type: String?) -> ImportedBody {
        let translated = Self.isJSON(type) ? Self.quoted(references.text(text)) : references.text(text)
        return ImportedBody(text: translated, contentType: type ?? "text/plain", unquoted: .keepText)
    }

    /// Returns JSON text in which references that make up a whole string stay strings.
    private static func quoted(_ text: ImportedText) -> ImportedText {
        let parts = text.parts
        return ImportedText(
            parts.indices.map { index in
                guard case .expression(let source) = parts[index], index > 0, index + 1 < parts.count,
                    case .literal(let before) = parts[index - 1], case .literal(let after) = parts[index + 1],
                    before.hasSuffix("\""), after.hasPrefix("\"")
                else { return parts[index] }
                return .expression("string(\(source))")
            })
    }

    /// Returns whether gabbi replaces references in a file of a media type.
    private static func isText(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).trimmingBlanks else { return false }
        return type.hasPrefix("text/") || type.hasSuffix("+xml") || type == "application/xml"
            || type == "application/javascript" || isJSON(type)
    }

    private static func isJSON(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).trimmingBlanks else { return false }
        return type == "application/json" || type.hasSuffix("+json")
    }
}
