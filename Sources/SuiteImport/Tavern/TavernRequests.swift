import Basics
import Diagnostics
import FileSystem
import YAML

/// Translates the `request` of a stage.
struct TavernRequests {
    let source: TavernSource

    /// The keys that need no translation, or that are translated together with others.
    private static let known: Set<String> = ["method", "url", "stream"]

    /// The number of redirects that the client of Tavern follows.
    private static let maximumRedirects = 30

    /// Reads a request into a step.
    func apply(
        _ node: YAMLNode, to step: inout ImportedStep, _ scope: inout TavernScope, _ context: inout ImportContext
    ) {
        let values = TavernValues(source: source)
        let method = scope.text(node["method"]?.text ?? "GET")
        var request = ImportedRequest(method: method.literal ?? "GET", url: scope.text(node["url"]?.text ?? ""))
        if method.literal == nil { request.methodExpression = method.soleExpression ?? method.concatenation }
        request.set(.redirects, false)
        // A body without a type has none.
        var sendsType = true
        for (key, value) in node.members {
            let name = key.text ?? ""
            switch name {
            case _ where Self.known.contains(name): break
            case "headers": request.headers += fields(value, &step, &scope, &context)
            case "params": request.query += fields(value, &step, &scope, &context)
            case "json":
                // Tavern refuses tags that match any value.
                if values.hasMatchers(value, .on) { step.notes.append(note("matcher in a request", value, &context)) }
                if let value = body(value, &step, &context), PythonScalar(value) != .null {
                    let (content, values) = source.included(value, &context)
                    request.body = .json(values.value(content, &scope))
                }
            case "data":
                if value.mapping != nil {
                    if request.body == nil { request.body = .form(fields(value, &step, &scope, &context)) }
                } else if source.tag(value) == "!binary", let bytes = Self.decoded(value) {
                    request.body = ImportedBody(bytes: bytes, contentType: nil)
                    sendsType = false
                } else {
                    let text = scope.text(PythonScalar(value)?.text ?? value.sourceText)
                    let type = node["headers"]?.members.first { $0.key.text?.lowercased() == "content-type" }?.value
                        .text
                    request.body = ImportedBody(text: text, contentType: type)
                    sendsType = false
                }
            case "files":
                let data = node["data"].map { fields($0, &step, &scope, &context) } ?? []
                request.body = .multipart(
                    data.map { ImportedBody.Part($0.name, .text($0.value)) } + parts(value, &step, &scope, &context))
            case "file_body":
                if let path = path(value, &step, &scope, &context) { request.body = .file(path) }
            case "auth":
                let parts = value.elements.map { scope.text(PythonScalar($0)?.text ?? "") }
                if parts.count == 2 {
                    request.auth = .basic(username: parts[0], password: parts[1])
                } else {
                    step.notes.append(note("auth", value, &context))
                }
            case "cookies": cookies(value, &request, &step, &scope, &context)
            case "follow_redirects":
                request.set(.redirects, PythonScalar(value)?.isTrue ?? false ? .integer(Self.maximumRedirects) : false)
            case "timeout": timeout(value, &request, &step, &context)
            case "verify", "cert": break
            default: step.notes.append(note(name == "$ext" ? "$ext" : "request \(name)", value, &context))
            }
        }
        tls(node, &request, &step, &scope, &context)
        type(of: &request, name: node["file_body"]?.text.flatMap { scope.constant($0) })
        let bodies = ["json", "data", "file_body"].filter { node[$0] != nil }
        if bodies.count > 1, let second = node[bodies[1]] {
            step.notes.append(note(bodies.joined(separator: " and "), second, &context))
        }
        if !sendsType, request.header("Content-Type") == nil { request.suppressedHeaders.append("Content-Type") }
        step.request = request
    }

    /// Returns the bytes of a `!!binary` scalar.
    static func decoded(_ node: YAMLNode) -> [UInt8]? {
        Base64.decode((node.text ?? "").utf8, allowing: [.withoutPadding, .whitespace])
    }

    /// Adds the media type of a file without a charset. That of a compressed file is the type of its contents.
    private func type(of request: inout ImportedRequest, name: String?) {
        guard case .file = request.body, let name else { return }
        let (type, isCompressed) = Self.type(ofFile: name)
        if request.header("Content-Type") == nil {
            request.headers.append(ImportedField("Content-Type", ImportedText(type)))
        }
        if isCompressed, request.header("Content-Encoding") == nil {
            request.headers.append(ImportedField("Content-Encoding", "gzip"))
        }
    }

    /// Returns the media type of a file, and whether it is compressed, as Python guesses them.
    private static func type(ofFile name: String) -> (type: String, isCompressed: Bool) {
        let isCompressed = name.hasSuffix(".gz")
        return (MediaTypes.type(ofFile: isCompressed ? String(name.dropLast(3)) : name), isCompressed)
    }

    private func note(_ construct: String, _ node: YAMLNode, _ context: inout ImportContext) -> ImportNote {
        context.untranslated(construct, in: source.file, line: node.line, source: node.sourceText)
    }

    /// Returns a body without what functions would add to it; nil if nothing is left.
    private func body(_ node: YAMLNode, _ step: inout ImportedStep, _ context: inout ImportContext) -> YAMLNode? {
        guard node["$ext"] != nil else { return node }
        step.notes.append(note("$ext", node, &context))
        return nil
    }

    // MARK: Fields

    private func fields(
        _ node: YAMLNode, _ step: inout ImportedStep, _ scope: inout TavernScope, _ context: inout ImportContext
    ) -> [ImportedField] {
        var fields: [ImportedField] = []
        for (key, value) in node.members {
            let name = key.text ?? ""
            if name == "$ext" {
                step.notes.append(note("$ext", value, &context))
                continue
            }
            for element in value.listed {
                if element.mapping != nil {
                    step.notes.append(note("nested value of \(name)", element, &context))
                } else if PythonScalar(element) != .null {
                    fields.append(ImportedField(scope.text(name), text(element, &scope)))
                }
            }
        }
        return fields
    }

    /// Returns a scalar as the text that is sent.
    private func text(_ node: YAMLNode, _ scope: inout TavernScope) -> ImportedText {
        switch source.tag(node) {
        case "raw": return ImportedText(node.text ?? "")
        case "uuid":
            return ImportedText(expression: source.madeUpName(node).map { scope.madeUpVariable($0) } ?? "uuid()")
        case "include_raw": return scope.text(source.rawText(node) ?? "")
        default: break
        }
        return scope.text(PythonScalar(node)?.text ?? "")
    }

    // MARK: Files

    private func path(
        _ node: YAMLNode, _ step: inout ImportedStep, _ scope: inout TavernScope, _ context: inout ImportContext
    ) -> ImportedText? {
        let text = scope.text(node.text ?? "")
        guard let name = text.literal else {
            // The directory of the source, as the suite names it.
            let own = (try? context.files.suitePath(Path.lastComponent(of: source.file.name), from: source.file)) ?? ""
            let directory = own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
            return ImportedText(directory) + text
        }
        do throws(ImportFiles.Failure) {
            return ImportedText(try context.files.suitePath(name, from: source.file))
        } catch {
            step.notes.append(note("\"\(name)\", which \(error.reason)", node, &context))
            return nil
        }
    }

    private func parts(
        _ node: YAMLNode, _ step: inout ImportedStep, _ scope: inout TavernScope, _ context: inout ImportContext
    ) -> [ImportedBody.Part] {
        var parts: [ImportedBody.Part] = []
        func add(_ name: String, _ value: YAMLNode) {
            let file = value.mapping == nil ? value : value["file_path"] ?? value
            guard let path = path(file, &step, &scope, &context) else { return }
            let field = value["form_field_name"]?.text ?? name
            var part = ImportedBody.Part(scope.text(field), .file(path))
            // Tavern sends no charset.
            let name = file.text ?? ""
            let (type, isCompressed) = Self.type(ofFile: scope.constant(name) ?? name)
            part.type = value["content_type"]?.text.map { scope.text($0) } ?? ImportedText(type)
            if let encoding = value["content_encoding"]?.text.map({ scope.text($0) }) ?? (isCompressed ? "gzip" : nil) {
                part.headers.append(ImportedField("Content-Encoding", encoding))
            }
            parts.append(part)
        }
        if node.mapping != nil {
            for (key, value) in node.members { add(key.text ?? "", value) }
        } else {
            for element in node.elements { add("file", element) }
        }
        // A suite groups the parts by their names.
        let names = parts.map(\.name)
        let starts = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
        if Set(starts).count < starts.count { step.notes.append(note("order of parts", node, &context)) }
        return parts
    }

    // MARK: The connection

    private func cookies(
        _ node: YAMLNode, _ request: inout ImportedRequest, _ step: inout ImportedStep, _ scope: inout TavernScope,
        _ context: inout ImportContext
    ) {
        // Only the selected cookies of the session are sent, and those with new values.
        if node.elements.isEmpty, node.mapping?.isEmpty ?? true {
            request.sendsNoCookies = true
            return
        }
        var selected: Set<String> = []
        var replaced: [ImportedField] = []
        for element in node.listed {
            guard element.mapping != nil else {
                if let name = element.text { selected.insert(name) }
                continue
            }
            for field in fields(element, &step, &scope, &context) {
                let isStored = scope.cookies.contains { $0 == field.name.literal }
                request.cookies.removeAll { $0.name == field.name }
                replaced.removeAll { $0.name == field.name }
                if isStored { replaced.append(field) } else { request.cookies.append(field) }
            }
        }
        // A header with a cookie replaces that of the session.
        var header = ImportedText()
        for field in replaced {
            if !header.parts.isEmpty { header.append(literal: "; ") }
            header = header + field.name + "=" + field.value
        }
        if !header.parts.isEmpty { request.headers.append(ImportedField("Cookie", header)) }
        request.withheldCookies = scope.cookies.filter { name in
            !selected.contains(name) && !replaced.contains { $0.name.literal == name }
        }
        // Other cookies than those that the stages name are sent too.
        if !selected.isSubset(of: scope.cookies) { step.notes.append(note("selection of cookies", node, &context)) }
    }

    private func timeout(
        _ node: YAMLNode, _ request: inout ImportedRequest, _ step: inout ImportedStep, _ context: inout ImportContext
    ) {
        let times = node.listed.compactMap { element in
            element.text.flatMap { Double($0) }.flatMap { DurationText.seconds($0) }
        }
        guard times.count == node.listed.count, let first = times.first, times.count < 3 else {
            return step.notes.append(note("timeout", node, &context))
        }
        // The second one limits the time between two bytes.
        request.set(.timeout, .map([("connect", .literal(first)), ("firstByte", .literal(times.last ?? first))]))
    }

    private func tls(
        _ node: YAMLNode, _ request: inout ImportedRequest, _ step: inout ImportedStep, _ scope: inout TavernScope,
        _ context: inout ImportContext
    ) {
        var members: [(String, ImportedValue)] = []
        if let verify = node["verify"] {
            switch PythonScalar(verify) {
            case _ where source.tag(verify) == "bool" && verify.text?.contains("{") == true:
                step.notes.append(note("verify", verify, &context))
            case .bool(let flag)?: if !flag { members.append(("verify", false)) }
            default: if let path = path(verify, &step, &scope, &context) { members.append(("ca", .text(path))) }
            }
        }
        if let certificate = node["cert"] {
            for (key, part) in zip(["certificate", "key"], certificate.listed) {
                if let path = path(part, &step, &scope, &context) { members.append((key, .text(path))) }
            }
        }
        if !members.isEmpty { request.set(.tls, .map(members)) }
    }
}
