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
