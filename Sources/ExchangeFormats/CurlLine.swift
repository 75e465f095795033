import Basics

/// A builder of a `curl` command. Options and notes appear in the order in which they are added.
package struct CurlLine: Sendable, Hashable {
    private struct Word: Sendable, Hashable {
        var bytes: [UInt8]
        /// Whether the word is an option, which a line break may precede; none may precede its value.
        var beginsOption = false
        /// Whether the word is quoted even if it needs no quotes.
        var isQuoted = false
    }

    /// The bytes of curl's standard input; nil for none.
    package private(set) var input: [UInt8]?
    /// The differences between the command and the actual request, for a comment after the command.
    package private(set) var notes: [String] = []
    private var list = [Word(bytes: Array("curl".utf8))]
    /// The command that the input is piped through before it reaches curl.
    private var filter: String?

    /// Creates a command without options.
    package init() {}

    /// The words without quotes, `curl` first.
    package var words: [String] { list.map { String(decoding: $0.bytes, as: UTF8.self) } }

    // MARK: Parts

    /// Adds an option with its values, or a single argument.
    package mutating func option(_ words: String...) { option(words) }

    /// Adds an option with its values.
    package mutating func option(_ words: [String], isQuoted: Bool = false) {
        for (index, word) in words.enumerated() {
            list.append(Word(bytes: Array(word.utf8), beginsOption: index == 0, isQuoted: isQuoted && index > 0))
        }
    }

    /// Adds the options that keep curl from changing a URL.
    package mutating func keep(url: String) {
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { option("--globoff") }
        // RFC 3986, section 5.2.4.
        let segments = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "/"))
        if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
            option("--path-as-is")
        }
    }

    /// Adds a header field.
    package mutating func field(_ name: String, _ value: String) {
        // In curl, "Name:" removes the field and "Name;" sends it with an empty value.
        option("-H", value.isEmpty ? name + ";" : "\(name): \(value)")
    }

    /// Returns whether curl sends a header field by itself, so that the command can omit it.
    ///
    /// - Parameter authority: The host and port as written in the URL.
    package static func makes(field name: String, _ value: String, authority: some StringProtocol) -> Bool {
        switch name.lowercased() {
        case "content-length", "transfer-encoding", "keep-alive", "proxy-connection": true
        // Without it, a server rejects a protocol upgrade for a different reason.
        case "connection": value != "Upgrade"
        case "host": value == authority
        case "accept": value == "*/*"
        default: false
        }
    }

    /// Adds a body: inline, through a pipe if an argument cannot contain it, or from a file if it is too large.
    ///
    /// - Parameters:
    ///   - name: The option that sends an inline body.
    ///   - limit: The maximum size in bytes of a body that the command itself contains.
    ///   - isText: Whether an inline body must be valid UTF-8.
    ///   - note: The note to add if the body is read from a file.
    package mutating func data(_ bytes: [UInt8], option name: String, limit: Int, isText: Bool, note: String) {
        if bytes.count > limit {
            file(note: note)
        } else if bytes.contains(0) || isText && String(validating: bytes, as: UTF8.self) == nil {
            // An argument cannot contain NUL.
            pipe(bytes)
        } else {
            option(name)
            list.append(Word(bytes: bytes))
        }
    }

    /// Adds a body that curl reads from a pipe.
    ///
    /// - Parameter filter: A command that transforms the bytes before they reach curl; nil for none.
    package mutating func pipe(_ bytes: [UInt8], through filter: String? = nil) {
        option("--data-binary", "@-")
        input = bytes
        self.filter = filter
    }

    /// Adds a body from a file that the user has to create.
    package mutating func file(note: String) {
        option("--data-binary", "@request-body")
        self.note(note)
    }

    /// Adds a note, without control characters: a line break would end the comment.
    package mutating func note(_ text: String) {
        notes.append(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })))
    }

    // MARK: Text

    /// Returns the command line for a shell, with the notes as a comment.
    ///
    /// - Parameter separator: The separator before each option, such as a space or an escaped line break.
    package func text(_ shell: ShellDialect, separator: String = " ") -> String {
        var text = input.map { shell.source(of: $0) + " | " } ?? ""
        if let filter { text += filter + " | " }
        for (index, word) in list.enumerated() {
            if index > 0 { text += word.beginsOption ? separator : " " }
            text += shell.word(word.bytes, isQuoted: word.isQuoted)
        }
        return notes.isEmpty ? text : text + "  # " + notes.joined(separator: "; ")
    }
}

/// A part of a multipart form for `curl`, with its secrets masked.
///
/// Secrets must be masked before the values are quoted for curl.
package struct CurlPart {
    /// The content of a part.
    package enum Content {
        case text(String)
        /// The path of a file.
        case file(String)
    }

    private let name: String
    private let content: Content
    private let fileName: String?
    private let contentType: String?
    private let headers: [(name: String, value: String)]

    /// Creates a part.
    package init(
        name: String, content: Content, fileName: String?, contentType: String?,
        headers: [(name: String, value: String)]
    ) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
        self.headers = headers
    }

    /// Returns the options that send a form, each with its value; nil if curl cannot send the form.
    package static func options(_ parts: [CurlPart]) -> [[String]]? {
        var options: [[String]] = []
        for part in parts {
            // curl splits the argument at the first "=", so a name cannot contain one.
            guard !part.name.isEmpty, !part.name.utf8.contains(UInt8(ascii: "=")) else { return nil }
            if case .text(let text) = part.content, part.fileName == nil, part.contentType == nil, part.headers.isEmpty
            {
                options.append(["--form-string", part.name + "=" + text])
            } else {
                options.append(["-F", part.name + "=" + part.value])
            }
        }
        // An argument cannot contain NUL.
        return options.contains { $0[1].utf8.contains(0) } ? nil : options
    }

    private var value: String {
        var text: String
        var shownName = fileName
        switch content {
        case .text(let content): text = Self.quoted(content)
        case .file(let path):
            // Most people omit the quotes when they are not needed.
            let isPlain = path.utf8.allSatisfy { $0 > 0x20 && !";,\"\\".utf8.contains($0) }
            text = "@" + (isPlain ? path : Self.quoted(path))
            // curl derives this name from the path.
            if fileName == path.split(separator: "/").last.map(String.init) ?? path { shownName = nil }
        }
        if let shownName { text += ";filename=" + Self.quoted(shownName) }
        if let contentType { text += Self.type(contentType) }
        return text + headers.map { ";headers=" + Self.quoted("\($0.name): \($0.value)") }.joined()
    }

    private static func type(_ type: String) -> String {
        let halves = type.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain =
            halves.count == 2
            && halves.allSatisfy { half in
                !half.isEmpty && half.allSatisfy { ASCII.isAlphanumeric($0) || ".+-_".utf8.contains($0) }
            }
        return isPlain ? ";type=" + type : ";headers=" + quoted("Content-Type: " + type)
    }

    /// Returns a string quoted for the argument of curl's `-F`.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
