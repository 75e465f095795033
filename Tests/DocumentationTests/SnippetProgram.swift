import Foundation

/// The source of a module with every documentation block in each context where a reader may use it.
struct SnippetProgram {
    /// The source files: the blocks of each documentation file, and the values that the blocks use.
    private(set) var files: [String: String]
    /// The number of blocks.
    private(set) var count = 0

    /// The imports of all blocks that do not import modules themselves.
    private static let imports = """
        import FoundationEssentials
        import HTTPSession
        import JSON
        import Logging
        import NIOCore
        import NIOPosix
        import Testing
        import XML

        """

    /// Values that an article mentions without creating them, such as the session passed to a function.
    private static let values =
        imports + """
            struct Book: Codable, Sendable {
                var id: Int
                var title: String
            }
            let session = Session()
            let exchange = session.get("books")
            let url = "books"
            let jar = CookieJar()
            let transport = ScriptedTransport()
            let recorder = HARRecorder()
            let interceptor = DigestAuthentication(username: "ada", password: "secret")
            let environment: [String: String] = [:]
            let incoming: HTTPHeaders = [:]
            let rows = AsyncStream<[UInt8]> { $0.finish() }
            nonisolated(unsafe) var configuration = SessionConfiguration()
            nonisolated(unsafe) var request = Request(.get, url: "books")

            """

    /// Creates the source from code blocks.
    init(_ blocks: [DocumentedCode], tables: [DocumentedCode]) {
        files = ["Values.swift": Self.values]
        for (file, blocks) in Dictionary(grouping: blocks, by: \.file) {
            let name = "In" + URL(filePath: file).deletingPathExtension().lastPathComponent.filter { $0.isLetter }
            var article = ""
            var outside = ""
            for block in blocks where !block.isProgram && !block.isManifest {
                count += 1
                if block.text.hasPrefix("import ") {
                    files["\(name)\(block.line).swift"] = Self.located(block)
                } else if block.text.hasPrefix("extension ") {
                    outside += Self.located(block)
                } else if block.isDeclarations {
                    article += Self.located(block)
                } else {
                    article += Self.functions(block)
                }
            }
            files["\(name).swift"] = Self.imports + "enum \(name) {\n\(article)}\n" + outside
        }
        for (file, code) in Dictionary(grouping: tables, by: \.file) {
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent + "Tables"
            let statements = code.map { Self.located($0, prefix: $0.text.contains(" = ") ? "" : "_ = ") }.joined()
            count += code.count
            files[name + ".swift"] =
                Self.imports + """
                    func check\(name)(_ response: Response) async throws {
                    let book = Book(id: 1, title: "Dune")
                    \(statements)}

                    """
        }
    }

    /// Returns a block in a function, a method of an actor, and a method of a type on the main actor.
    private static func functions(_ block: DocumentedCode) -> String {
        let code = located(block)
        return """
            static func function\(block.line)() async throws {
            \(code)}
            actor Actor\(block.line) {
            func method() async throws {
            \(code)}
            }
            @MainActor final class MainActor\(block.line) {
            func method() async throws {
            \(code)}
            }

            """
    }

    /// Returns the code with its location in the documentation, for the compiler's messages.
    private static func located(_ block: DocumentedCode, prefix: String = "") -> String {
        "#sourceLocation(file: \"\(block.file)\", line: \(block.line))\n\(prefix)\(block.text)\n#sourceLocation()\n"
    }
}
