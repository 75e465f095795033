import Basics
package import Diagnostics
import FileSystem

/// Reads curl command lines: shell scripts, and lines that browsers and documentation offer for copying.
package enum CurlImporter: Importer {
    package static var format: ImportFormat { .curl }

    /// The number of lines in which a command is looked for.
    private static let searchedLines = 500

    package static func recognizes(_ file: SourceFile) -> Bool {
        let start = file.text.prefix(1 << 16)
        guard let first = start.first(where: { !ASCII.isWhitespace($0) }), !"{[<".utf8.contains(first),
            !start.contains(0)
        else { return false }
        return start.split(separator: 0x0A).prefix(searchedLines).contains { hasCommand($0) }
    }

    /// Returns whether a line calls curl: at its start, or after an operator or an assignment.
    private static func hasCommand(_ line: ArraySlice<UInt8>) -> Bool {
        let name = Array("curl".utf8)
        var start = line.startIndex
        while let index = line[start...].firstIndex(of: name[0]) {
            start = index + 1
            guard line[index...].starts(with: name) else { continue }
            let rest = line[(index + name.count)...]
            let isWhole =
                rest.first.map { ASCII.isWhitespace($0) || "'\"\\".utf8.contains($0) } ?? true
                || rest.starts(with: ".exe".utf8)
            // The command may have a directory, and quotes.
            var before = line[..<index]
            while let last = before.last, !ASCII.isWhitespace(last), !"|;&(`".utf8.contains(last),
                before.last != UInt8(ascii: "=")
            {
                before = before.dropLast()
            }
            let path = line[before.endIndex..<index]
            let isPath =
                path.isEmpty || path.last == UInt8(ascii: "/") || path.elementsEqual("'".utf8)
                || path.elementsEqual("\"".utf8)
            // The value of an assignment is not a command.
            if before.last == UInt8(ascii: "=") { continue }
            if isWhole, isPath, isStart(ASCII.trimmed(before, ASCII.isWhitespace)) { return true }
        }
        return false
    }

    /// Returns whether a command can start after a text.
    private static func isStart(_ text: ArraySlice<UInt8>) -> Bool {
        guard let last = text.last else { return true }
        if "|;&(`".utf8.contains(last) { return true }
        return text.split(separator: 0x20).allSatisfy { word in
            // A prompt, or assignments.
            word.elementsEqual("$".utf8) || word.first.map(ASCII.isLetter) == true && word.contains(UInt8(ascii: "="))
        }
    }

    package static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite] {
        files.compactMap { file in
            var script = CurlScript(file)
            return script.suite(&context)
        }
    }
}

/// A shell script with curl commands.
private struct CurlScript {
    private let file: SourceFile
    private var scope = CurlScope()
    private var tests: [ImportedTest] = []
    /// The notes on commands since the last test.
    private var notes: [ImportNote] = []

    /// The maximum nesting depth of configuration files, and of commands in commands.
    private static let maximumDepth = 8
    /// The maximum length of a comment that becomes the name of a test.
    private static let maximumNameLength = 80

    init(_ file: SourceFile) { self.file = file }

    mutating func suite(_ context: inout ImportContext) -> ImportedSuite? {
        do throws(ShellSyntaxError) {
            for pipeline in try ShellLexer.pipelines(file.text) { read(pipeline, &context) }
        } catch {
            report(error, at: 0, &context)
            return nil
        }
        var name = Path.lastComponent(of: file.name)
        if let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
        var suite = ImportedSuite(name: name == "<stdin>" ? "curl" : name, source: file.name)
        suite.variables = scope.variables
        suite.tests = tests
        suite.notes = notes
        suite.keepsCookies = scope.keepsCookies
        return suite
    }

    // MARK: Problems

    private func line(_ offset: Int) -> Int { Int(file.position(atByteOffset: offset).line) }

    private func report(_ error: ShellSyntaxError, at base: Int, _ context: inout ImportContext) {
        let offset = min(base + error.offset, file.text.count)
        let message: MessageText =
            switch error.kind {
            case .quote: "this quote is not closed"
            case .substitution: "this expansion is not closed"
            case .document: "the end of this here-document is missing"
            }
        context.report(
            "invalid-shell-syntax", message,
            SourceRange(file: file, bytes: offset..<min(offset + 1, file.text.count)))
    }

    private func report(_ error: CurlArgumentError, _ context: inout ImportContext) {
        let range = SourceRange(file: file, bytes: error.range.clamped(to: 0..<file.text.count))
        if error.needsValue {
            context.report("invalid-curl-option", "the option \"\(error.option)\" needs a value", range)
        } else {
            let hint = Spelling.suggestion(for: error.option, among: CurlOption.all.map { "--" + $0.name })
            context.report(
                "invalid-curl-option", "\"\(error.option)\" is not an option of curl", range, suggestion: hint)
        }
    }

    // MARK: Commands

    /// The commands that neither send anything nor change what other commands send.
    private static let harmless: Set<String> = [
        "echo", "printf", "set", "true", ":", "exit", "clear", "sleep", "jq", "unset", "source", ".", "shift", "wait",
    ]

    private mutating func read(_ pipeline: ShellPipeline, _ context: inout ImportContext) {
        guard let index = pipeline.commands.firstIndex(where: { $0.name == "curl" }) else {
            for command in pipeline.commands.prefix(1) { readOther(command, pipeline, &context) }
            return
        }
        let command = pipeline.commands[index]
        // Assignments before a command hold only for it, but the expansions of its words do not use them.
        var input = command.input.map { ShellInput(word: $0) }
        if input == nil, index > 0 { input = ShellInput.output(of: pipeline.commands[..<index]) }
        let steps = self.steps(command, input, &context)
        add(steps, name: pipeline.comment, captures: [])
    }

    private mutating func readOther(
        _ command: ShellCommand, _ pipeline: ShellPipeline, _ context: inout ImportContext
    ) {
        var assignments = command.assignments
        if ["export", "local", "declare", "readonly"].contains(command.name) {
            assignments += command.words.dropFirst().compactMap { ShellLexer.assignment($0) }
        } else if let name = command.name, !Self.harmless.contains(name) {
            let text = String(decoding: file.text[command.range.clamped(to: 0..<file.text.count)], as: UTF8.self)
            notes.append(
                context.untranslated(
                    "shell command", in: file, line: line(command.range.lowerBound), source: text))
        }
        for (name, value) in assignments {
            if readCapture(name, value, pipeline.comment, &context) { continue }
            scope.assign(name, value)
        }
    }

    /// Reads `TOKEN=$(curl … | jq -r .token)`, which becomes a test with a capture.
    ///
    /// - Returns: Whether the value is such a command.
    private mutating func readCapture(
        _ name: String, _ value: ShellWord, _ comment: String?, _ context: inout ImportContext
    ) -> Bool {
        guard value.parts.count == 1, case .substitution(let source) = value.parts[0], source.hasPrefix("$("),
            !source.hasPrefix("$(("),
            let inner = try? ShellLexer.pipelines(Array(source.utf8.dropFirst(2).dropLast())), inner.count == 1,
            inner[0].commands.first?.name == "curl"
        else { return false }
        // The offsets of the inner commands are relative to the text in the parentheses.
        let base = value.range.lowerBound + 2
        var commands = inner[0].commands
        for index in commands.indices { commands[index] = commands[index].moved(by: base) }
        let capture: ImportedCapture.Source
        switch commands.count {
        case 1: capture = .text
        case 2:
            guard let path = Self.path(ofFilter: commands[1]) else { return false }
            capture = .json(ImportedText(path))
        default: return false
        }
        let steps = self.steps(commands[0], commands[0].input.map { ShellInput(word: $0) }, &context)
        if steps.isEmpty { return false }
        add(steps, name: comment, captures: [ImportedCapture(scope.captured(name), capture)])
        return true
    }

    /// Returns the JSONPath of a command such as `jq -r '.items[0].id'`; nil for any other command.
    private static func path(ofFilter command: ShellCommand) -> String? {
        guard command.name == "jq" else { return nil }
        let words = command.words.dropFirst().compactMap(\.text).filter { !$0.hasPrefix("-") }
        guard words.count == 1, command.words.allSatisfy({ $0.bytes != nil }), let filter = words.first,
            filter.first == ".",
            filter.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || "._[]".utf8.contains($0) }), !filter.contains("..")
        else { return nil }
        if filter == "." { return "$" }
        let path = filter.hasPrefix(".[") ? String(filter.dropFirst()) : filter
        return path.contains("[]") ? nil : "$" + path
    }

    private mutating func add(_ steps: [ImportedStep], name: String?, captures: [ImportedCapture]) {
        for (index, step) in steps.enumerated() {
            var step = step
            if index == steps.count - 1 { step.captures += captures }
            var test = ImportedTest(steps: [step])
            if steps.count == 1, let name, name.count <= Self.maximumNameLength { test.name = name }
            test.notes = notes
            notes = []
            tests.append(test)
        }
    }

    private mutating func steps(
        _ command: ShellCommand, _ input: ShellInput?, _ context: inout ImportContext
    ) -> [ImportedStep] {
        let arguments: [CurlArgument]
        do throws(CurlArgumentError) {
            arguments = try self.arguments(command.words.dropFirst(), input, depth: 0, &context)
        } catch {
            report(error, &context)
            return []
        }
        var transfers: [CurlTransfer] = []
        var transfer = CurlTransfer()
        transfer.offset = command.range.lowerBound
        for argument in arguments {
            var argument = argument
            if argument.option.effect.isLiteral || argument.value.leadingBytes.first == UInt8(ascii: "@") {
                argument.value = scope.resolved(argument.value)
            }
            if case .next = argument.option.effect {
                transfers.append(transfer)
                transfer = CurlTransfer()
                transfer.offset = argument.offset
            } else {
                transfer.apply(argument)
            }
        }
        transfers.append(transfer)
        var steps: [ImportedStep] = []
        for transfer in transfers where !transfer.isEmpty {
            steps += CurlRequestBuilder.steps(transfer, input: input, in: file, &scope, &context)
        }
        if steps.isEmpty {
            notes.append(
                context.untranslated("curl without a URL", in: file, line: line(command.range.lowerBound)))
        }
        return steps
    }

    /// Returns the arguments of a command, with those of the configuration files that it names.
    private mutating func arguments(
        _ words: ArraySlice<ShellWord>, _ input: ShellInput?, depth: Int, _ context: inout ImportContext
    ) throws(CurlArgumentError) -> [CurlArgument] {
        var result: [CurlArgument] = []
        for argument in try CurlArgument.list(words) {
            guard case .configuration = argument.option.effect else {
                result.append(argument)
                continue
            }
            let name = argument.value.text ?? ""
            var content: [UInt8]?
            var reason = "is nested too deeply"
            if depth < Self.maximumDepth {
                if name == "-" {
                    content = input?.word.bytes
                    reason = "is not known"
                } else {
                    do throws(ImportFiles.Failure) {
                        content = try context.files.read(name, from: file)
                    } catch {
                        reason = error.reason
                    }
                }
            }
            guard let content else {
                notes.append(
                    context.untranslated(
                        "configuration file \"\(name)\", which \(reason)", in: file, line: line(argument.offset)))
                continue
            }
            let inner = CurlConfigFile.words(content, offset: argument.offset)
            result += try arguments(inner[...], input, depth: depth + 1, &context)
        }
        return result
    }
}

extension ShellCommand {
    /// Returns the command with other offsets.
    fileprivate func moved(by distance: Int) -> ShellCommand {
        var command = self
        command.range = (range.lowerBound + distance)..<(range.upperBound + distance)
        for index in command.words.indices {
            let range = command.words[index].range
            command.words[index].range = (range.lowerBound + distance)..<(range.upperBound + distance)
        }
        return command
    }
}
