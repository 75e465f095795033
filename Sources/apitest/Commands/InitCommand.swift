import Glibc

/// `apitest init [FOLDER]`
struct InitCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "init", abstract: "Write a suite to begin with, which runs against its own mock server.",
        discussion: "Nothing is overwritten: when one of the files is there already, none is written.")

    var folder = "."

    static var syntax: [Syntax] {
        [
            .argument(
                "folder", \.folder, "The folder to write to, made if it is not there; without it, the current folder.",
                completion: .directories)
        ]
    }

    func run() throws {
        let folder = folder.isEmpty ? "." : folder
        let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let existing = StarterFiles.all.filter { access(prefix + $0.name, F_OK) == 0 }
        guard existing.isEmpty else {
            let names = existing.map { prefix + $0.name }.joined(separator: ", ")
            throw ExitStatus.invalid(
                because: "init: nothing was written, as \(names) \(existing.count == 1 ? "is" : "are") there already; "
                    + "name another folder, as in \"apitest init shop\"")
        }
        try Self.makeFolder(folder)
        for file in StarterFiles.all { try Self.write(file.text, to: prefix + file.name) }
        let width = StarterFiles.all.reduce(0) { max($0, $1.name.utf8.count) } + prefix.utf8.count + 2
        var text = ""
        for file in StarterFiles.all {
            let path = prefix + file.name
            text += "wrote \(path)\(String(repeating: " ", count: width - path.utf8.count))\(file.purpose)\n"
        }
        let change = folder == "." ? "" : "cd \(folder) && "
        text += """

            \(change)apitest         runs the suite
            \(change)apitest lint    checks it and sends nothing
            \(change)apitest list    lists its tests

            An editor completes and explains keys with the JSON Schema that "apitest schema" prints.

            """
        StandardOutput.write(text)
    }

    /// Makes a folder and those above it, as far as they are not there.
    private static func makeFolder(_ folder: String) throws {
        var path = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            path += path.isEmpty || path == "/" ? String(part) : "/" + part
            if mkdir(path, 0o777) != 0, errno != EEXIST {
                throw ExitStatus.invalid(
                    because: "init: the folder \(path) cannot be made: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Writes a file that is not there yet.
    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        var problem = descriptor < 0 ? errno : 0
        if descriptor >= 0 {
            problem = FileDescriptorWriter.writeAll(Array(text.utf8), to: descriptor) ?? 0
            if close(descriptor) != 0, problem == 0 { problem = errno }
        }
        if problem != 0 {
            throw ExitStatus.invalid(because: "init: \(path) cannot be written: \(String(cString: strerror(problem)))")
        }
    }
}

/// The files that `apitest init` writes: those of `examples/starter`.
enum StarterFiles {
    /// A file of the starter project.
    struct File {
        /// The name.
        let name: String
        /// What it is, in a few words.
        let purpose: String
        /// The text.
        let text: String
    }

    /// The files, in the order in which they are named.
    static let all: [File] = [
        File(name: "shop.apitest.yaml", purpose: "a suite of six tests", text: suite),
        File(name: "shop.mock.yaml", purpose: "the server that it tests", text: mock),
        File(name: ".apitest.yaml", purpose: "the project's defaults", text: configuration),
    ]

    private static let suite = #"""
        # A suite to begin with, which runs against a mock server of its own: apitest shop.apitest.yaml
        name: Shop

        # Starts the server of shop.mock.yaml for the run, and stops it afterwards. To test one that runs already, write its
        # address in place of this line: baseURL: https://shop.example.com
        serve: { mock: shop.mock.yaml }

        variables:
          title: Dune

        defaults:
          headers: { Accept: application/json }
          expect:
            duration: { lt: 5s }

        tests:
          - name: the shop is open
            tags: smoke
            request: GET /status
            expect:
              status: 200
              json: { $.state: open }

          - name: the list begins with the first book
            tags: smoke
            request: GET /books?limit=1
            expect:
              json:
                $: { length: 1 }
                $[0].title: Emma

          - name: a book that is not there
            request: GET /books/999
            expect: 404

          - name: add a book
            request:
              method: POST
              url: /books
              json: { title: "${title}", isbn: "${uuid()}" }
            expect:
              status: 201
              headers:
                Location: { matches: '^/books/\d+$' }
              json:
                $.id: { type: integer }
                $.title: ${title}
            capture:
              bookID: $.id

          # Uses what "add a book" captures, so it runs after it. Tests that need nothing of each other run at the same time.
          - name: read it back
            request: GET /books/${bookID}
            expect:
              json: { $.title: "${title}" }
            assert:
              - size(body.isbn) == 36

          - name: sell the book
            needs: read it back
            steps:
              - name: remove it
                request: DELETE /books/${bookID}
                expect: 2xx
              - name: it is gone
                request: GET /books/${bookID}
                expect: 404

        """#

    private static let mock = #"""
        # What the server answers that shop.apitest.yaml starts. It can also serve on its own: apitest mock shop.mock.yaml
        name: Shop

        collections:
          # GET and POST /books; GET, PUT, PATCH and DELETE /books/1. Every start begins with the seed.
          books:
            path: /books
            id: integer
            seed:
              - { id: 1, title: Emma, isbn: 978-0-14-143958-7 }
              - { id: 2, title: Solaris, isbn: 978-0-15-602760-1 }

        routes:
          - request: GET /status
            respond:
              json: { state: open, now: "${now()}" }

        """#

    private static let configuration = #"""
        # The project's defaults for the options of apitest, by their long names. The command line wins over them.
        paths: .
        # environment: staging
        # report: [junit=report.xml]
        # jobs: 8

        """#
}
