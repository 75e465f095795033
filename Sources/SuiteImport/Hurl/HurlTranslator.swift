import Basics
import Diagnostics
import FileSystem

/// Translates the entries of a Hurl file to the steps of a test.
struct HurlTranslator {
    private let file: SourceFile
    private var scope = HurlScope()
    /// The variables of the test.
    private var variables: [ImportedVariable] = []
    /// The variables that options define again, for the steps after that.
    private var overrides: [ImportedVariable] = []

    /// The maximum length of a comment that becomes the name of a step.
    private static let maximumNameLength = 80

    init(_ file: SourceFile) { self.file = file }

    /// Returns the test of all entries.
    mutating func test(_ name: String, _ entries: [HurlEntry], _ context: inout ImportContext) -> ImportedTest {
        var test = ImportedTest(name)
        var taken: Set<String> = []
        for entry in entries {
            var step = self.step(entry, &context)
            if let name = step.name, !taken.insert(name).inserted {
                step.comments.append(name)
                step.name = nil
            }
            test.steps.append(step)
        }
        test.variables = variables
        return test
    }

    private func line(_ offset: Int) -> Int { Int(file.position(atByteOffset: offset).line) }

    private func source(_ offset: Int) -> String {
        let end = file.text[offset...].firstIndex(of: 0x0A) ?? file.text.count
        return String(decoding: file.text[offset..<end], as: UTF8.self)
    }

    // MARK: Steps

    private mutating func step(_ entry: HurlEntry, _ context: inout ImportContext) -> ImportedStep {
        define(entry.request.options)
        var step = ImportedStep(ImportedRequest(method: entry.request.method, url: url(entry.request)))
        step.variables = overrides
        comments(of: entry, &step)
        for comment in entry.comments.joined() where Self.changesCookies(comment) {
            step.notes.append(
                context.untranslated("cookie storage", in: file, line: line(entry.offset), source: comment))
        }
        var missing: [String: ImportFiles.Failure] = [:]
        let file = self.file
        let files = context.files
        var paths: [Int: ImportedText] = [:]
        for field in entry.request.options {
            guard let path = field.value.literal else { continue }
            do throws(ImportFiles.Failure) {
                paths[field.offset] = ImportedText(try files.suitePath(path, from: file))
            } catch { missing[path] = error }
        }
        let options = HurlOptions.apply(entry.request.options, to: &step, &scope) { paths[$0.offset] }
        for (construct, offset) in options.untranslated {
            step.notes.append(context.untranslated(construct, in: file, line: line(offset), source: source(offset)))
        }
        request(entry, &step, &context)
        placeholders(at: entry.offset, &step.notes, &context)
        guard let response = entry.response else {
            // Without a response, Hurl accepts any status.
            step.checks = [.statusMatches(ImportedMatcher(equals: .null))]
            return step
        }
        captures(response, &step, &context)
        step.checks = checks(response, &step, &context)
        placeholders(at: entry.offset, &step.checkNotes, &context)
        options.poll(&step)
        return step
    }

    /// Returns whether a comment changes the cookies that Hurl stores.
    private static func changesCookies(_ comment: String) -> Bool { comment.hasPrefix("@cookie_storage_") }

    /// Makes the only line of a comment the name of a step.
    private func comments(of entry: HurlEntry, _ step: inout ImportedStep) {
        var paragraphs = entry.comments.map { $0.filter { !Self.changesCookies($0) } }.filter { !$0.isEmpty }
        if let last = paragraphs.last, last.count == 1, let name = last.first, !name.isEmpty,
            name.count <= Self.maximumNameLength
        {
            step.name = name
            paragraphs.removeLast()
        }
        step.comments = paragraphs.flatMap { $0 } + entry.requestComments
        step.checkComments = entry.responseComments
    }

    private mutating func placeholders(
        at offset: Int, _ notes: inout [ImportNote], _ context: inout ImportContext
    ) {
        for construct in scope.takeUntranslated() {
            notes.append(context.untranslated(construct, in: file, line: line(offset)))
        }
    }

    // MARK: Variables

    private mutating func define(_ options: [HurlField]) {
        for option in options where option.name.literal == "variable" {
            guard let equals = option.value.parts.first, case .literal(let start) = equals,
                let index = start.firstIndex(of: "=")
            else { continue }
            let name = String(start[..<index])
            var value = HurlText(String(start[start.index(after: index)...]))
            for part in option.value.parts.dropFirst() {
                switch part {
                case .literal(let text): value.append(text)
                case .placeholder(let placeholder): value.append(placeholder)
                }
            }
            let literal = value.literal
            var isText = false
            let typed: ImportedValue
            if let literal, literal == "null" || literal == "true" || literal == "false" {
                typed = .plain(literal)
            } else if let literal, let number = HurlChecks.number(literal) {
                typed = number
            } else if let literal, literal.hasPrefix("\""), literal.hasSuffix("\""), literal.utf8.count > 1 {
                typed = .literal(literal.dropFirst().dropLast())
                isText = true
            } else {
                typed = .text(scope.text(value))
                isText = true
            }
            let isNew = !scope.defined.contains(name)
            let variable = ImportedVariable(scope.define(name, constant: literal, isText: isText), typed)
            if isNew, literal != nil {
                variables.append(variable)
            } else {
                overrides.removeAll { $0.name == variable.name }
                overrides.append(variable)
            }
        }
    }

    // MARK: Requests

    /// Returns the URL as Hurl sends it.
    private mutating func url(_ request: HurlRequest) -> ImportedText {
        let url = scope.text(request.url)
        let keepsDots = request.options.last { $0.name.literal == "path-as-is" }.flatMap { scope.constant($0.value) }
        return keepsDots == "true" ? url : url.withoutDotSegments
    }

    private mutating func request(_ entry: HurlEntry, _ step: inout ImportedStep, _ context: inout ImportContext) {
        let source = entry.request
        for (field, header) in zip(source.headers, fields(source.headers)) {
            if header.value.parts.contains(where: \.hasLineBreak) {
                let line = line(field.offset)
                step.notes.append(
                    context.untranslated(
                        "header with a line break", in: file, line: line, source: self.source(field.offset)))
            } else {
                step.request.headers.append(header)
            }
        }
        step.request.query = fields(source.query)
        step.request.cookies = fields(source.cookies)
        if let field = source.credentials.first {
            step.request.auth = .basic(username: scope.text(field.name), password: scope.text(field.value))
        }
        let hasType = step.request.header("Content-Type") != nil
        if !source.form.isEmpty { step.request.body = .form(fields(source.form)) }
        if !source.multipart.isEmpty { step.request.body = .multipart(parts(source.multipart, &step, &context)) }
        guard let body = source.body else { return }
        let implied = add(body, entry.offset, &step, &context)
        // Hurl sends no type with text, bytes and files.
        if !hasType {
            if let implied {
                step.request.headers.append(ImportedField("Content-Type", ImportedText(implied)))
            } else if step.request.body != nil {
                step.request.suppressedHeaders.append("Content-Type")
            }
        }
    }

    private mutating func fields(_ fields: [HurlField]) -> [ImportedField] {
        fields.map { ImportedField(scope.text($0.name), scope.text($0.value)) }
    }

    private mutating func parts(
        _ fields: [HurlField], _ step: inout ImportedStep, _ context: inout ImportContext
    ) -> [ImportedBody.Part] {
        fields.compactMap { field in
            let name = scope.text(field.name)
            guard let file = field.file else { return ImportedBody.Part(name, .text(scope.text(field.value))) }
            guard let path = path(file, field.offset, &step, &context) else { return nil }
            var part = ImportedBody.Part(name, .file(path))
            // Hurl sends the path as it is written, and apitest the last component.
            let written = scope.text(file)
            if written.template.utf8.contains(UInt8(ascii: "/")) { part.fileName = written }
            let type = field.type ?? ""
            // Hurl sends no charset.
            part.type = ImportedText(type.isEmpty ? MediaTypes.type(ofFile: file.literal ?? "") : type)
            return part
        }
    }

    /// Returns the path of a file for the suite; a file that is not available becomes a note.
    private mutating func path(
        _ text: HurlText, _ offset: Int, _ step: inout ImportedStep, _ context: inout ImportContext
    ) -> ImportedText? {
        guard let path = scope.constant(text) else {
            // The directory of the source, as the suite names it.
            let own = (try? context.files.suitePath(Path.lastComponent(of: file.name), from: file)) ?? ""
            let directory = own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
            return ImportedText(directory) + scope.text(text)
        }
        do throws(ImportFiles.Failure) {
            return ImportedText(try context.files.suitePath(path, from: file))
        } catch {
            step.notes.append(
                context.untranslated(
                    "\"\(path)\", which \(error.reason)", in: file, line: line(offset), source: source(offset)))
            return nil
        }
    }

    /// Adds a body, and returns its media type unless Hurl sends none.
    private mutating func add(
        _ body: HurlBody, _ offset: Int, _ step: inout ImportedStep, _ context: inout ImportContext
    ) -> String? {
        let type = step.request.header("Content-Type")?.literal
        switch body {
        case .json(let text):
            step.request.body = ImportedBody(
                text: scope.text(text), contentType: type ?? "application/json",
                unquoted: scope.hasTypes(text) ? .value : .keepText)
            return "application/json"
        case .xml(let text):
            step.request.body = .xml(ImportedText(text))
            return "application/xml"
        case .text(let text, "json"):
            step.request.body = ImportedBody(
                text: scope.text(text), contentType: type ?? "application/json",
                unquoted: scope.hasTypes(text) ? .value : .keepText)
            return "application/json"
        case .text(let text, "xml"):
            step.request.body = .xml(scope.text(text))
            return "application/xml"
        case .text(let text, let language):
            if let bytes = Self.bytes(text, language) {
                step.request.body = ImportedBody(bytes: bytes, contentType: type)
            } else {
                step.request.body = ImportedBody(text: scope.text(text), contentType: type)
            }
            return nil
        case .graphQL(let query, let variables):
            step.request.body = .graphQL(
                query: scope.text(query.trimmed), variables: variables.flatMap { value(of: $0) }, operationName: nil)
            return "application/json"
        case .bytes(let bytes):
            step.request.body = ImportedBody(bytes: bytes, contentType: type)
            return nil
        case .file(let text):
            if let path = path(text, offset, &step, &context) { step.request.body = .file(path) }
            return nil
        }
    }

    private mutating func value(of text: HurlText) -> ImportedValue? {
        ImportedBody.json(scope.text(text), unquoted: .value)
    }

    private static func bytes(_ text: HurlText, _ language: String?) -> [UInt8]? {
        guard let literal = text.literal else { return nil }
        let digits = literal.utf8.filter { !ASCII.isWhitespace($0) }
        switch language {
        case "hex": return Hexadecimal.decode(digits)
        case "base64": return Base64.decode(digits)
        default: return nil
        }
    }

    // MARK: Responses

    private mutating func captures(
        _ response: HurlResponse, _ step: inout ImportedStep, _ context: inout ImportContext
    ) {
        for line in response.captures {
            if let content = line.content, let capture = HurlCaptures.capture(content, response, &scope) {
                step.captures.append(capture)
            } else {
                let construct = line.content.map { "capture \($0.query.construct)" } ?? "capture"
                step.checkNotes.append(note(construct, line.range, isAssertion: false, &context))
            }
        }
    }

    private func note(
        _ construct: String, _ range: Range<Int>, isAssertion: Bool, _ context: inout ImportContext
    ) -> ImportNote {
        context.untranslated(
            construct, in: file, line: line(range.lowerBound),
            source: String(decoding: file.text[range], as: UTF8.self), isAssertion: isAssertion)
    }

    private mutating func checks(
        _ response: HurlResponse, _ step: inout ImportedStep, _ context: inout ImportContext
    ) -> [ImportedCheck] {
        var checks: [ImportedCheck] = []
        if response.status != "*" {
            checks.append(.status([response.status]))
            context.translatedAssertions()
        }
        if response.version.hasPrefix("HTTP/"), response.version != "HTTP/*" {
            checks.append(.matches(.http, ImportedMatcher(equals: .literal(response.version.dropFirst(5)))))
            context.translatedAssertions()
        }
        checks += headers(response.headers, &context)
        let translator = HurlChecks(isHTML: HurlCaptures.isHTML(response))
        let hops = translator.hops(response.asserts, &scope)
        if let hops {
            checks.append(hops.check)
            context.translatedAssertions(hops.replaced.count)
        }
        for (index, line) in response.asserts.enumerated() where hops?.replaced.contains(index) != true {
            if let assert = line.content, let found = translator.checks(assert, &scope) {
                checks += found
                context.translatedAssertions()
            } else {
                let construct = line.content.map { "assert \($0.query.construct) \($0.predicate.name)" } ?? "assert"
                step.checkNotes.append(note(construct, line.range, isAssertion: true, &context))
            }
        }
        if let body = response.body {
            if let check = check(body, &context) {
                checks.append(check)
                context.translatedAssertions()
            } else {
                let offset = response.bodyOffset
                step.checkNotes.append(
                    context.untranslated(
                        "expected body", in: file, line: line(offset), source: source(offset), isAssertion: true))
            }
        }
        if checks.isEmpty { checks.append(.statusMatches(ImportedMatcher(equals: .null))) }
        return checks
    }

    /// Returns the expectations of headers. Each must be one of the values with its name.
    private mutating func headers(_ fields: [HurlField], _ context: inout ImportContext) -> [ImportedCheck] {
        var names: [String] = []
        var values: [String: [ImportedText]] = [:]
        for field in self.fields(fields) {
            let name = field.name.template
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(field.value)
            context.translatedAssertions()
        }
        return names.map { name in
            let list = (values[name] ?? []).map { ImportedValue.text($0) }
            if list.count == 1 { return .matches(.header(ImportedText(name)), ImportedMatcher(equals: list[0])) }
            let each = list.map { ImportedMatcher(.includes, $0).value }
            return .matches(.header(ImportedText(name)), ImportedMatcher(.all, .sequence(each)))
        }
    }

    /// Returns the expectation of a whole body.
    private mutating func check(_ body: HurlBody, _ context: inout ImportContext) -> ImportedCheck? {
        switch body {
        case .json(let text), .text(let text, "json"):
            if let value = value(of: text) { return .matches(.json("$"), ImportedMatcher(.equals, value)) }
            return .matches(.text, ImportedMatcher(equals: .text(scope.text(text))))
        case .xml(let text): return .matches(.text, ImportedMatcher(equals: .literal(text)))
        case .text(let text, let language):
            if let bytes = Self.bytes(text, language) {
                return .matches(.sha256, ImportedMatcher(equals: .literal(HurlChecks.digest(bytes))))
            }
            return .matches(.text, ImportedMatcher(equals: .text(scope.text(text))))
        case .graphQL(let query, let variables):
            var members = [("query", ImportedValue.text(scope.text(query.trimmed)))]
            if let variables { members.append(("variables", value(of: variables) ?? .null)) }
            return .matches(.json("$"), ImportedMatcher(.equals, .map(members)))
        case .bytes(let bytes):
            return .matches(.sha256, ImportedMatcher(equals: .literal(HurlChecks.digest(bytes))))
        case .file(let name):
            guard let name = scope.constant(name), let bytes = try? context.files.read(name, from: file),
                let path = try? context.files.suitePath(name, from: file)
            else { return nil }
            if String(validating: bytes, as: UTF8.self) == nil {
                return .matches(.sha256, ImportedMatcher(equals: .literal(HurlChecks.digest(bytes))))
            }
            return .assertion("text == file(\(ImportedNames.literal(path)))")
        }
    }
}
