import HTTPSession
import JSON

/// The code of the articles about first steps, requests and parameters; `SnippetTests` compares it with the catalog.
enum GuideSnippets {
    // snippet book
    struct Book: Codable, Sendable {
        var id: Int
        var title: String
    }
    // end

    static func first() async throws {
        // snippet first
        let configuration = SessionConfiguration(baseURL: "https://api.example.org/v1/")
        try await withSession(configuration) { session in
            let book: Book = try await session.get("books/7").validate().decode()
            print(book.title)
        }
        // end
    }

    static func own() async throws {
        // snippet own
        let session = Session(configuration: .init(baseURL: "https://api.example.org/v1/"))
        let response = try await session.get("books").response()
        print(response.status, response.headers["Content-Type"] ?? "", response.body.count)
        await session.close()
        // end
    }

    static func decoding(_ session: Session) async throws {
        // snippet decoding
        let books = try await session.get("books").validate().decode([Book].self)
        let text = try await session.get("terms").validate().string()
        let bytes = try await session.get("cover.png").validate().data()
        let json = try await session.get("books/7").validate().json()
        // end
        // snippet later
        let response = try await session.get("books/7").response()
        if response.status == 404 {
            print(try response.json()["detail"] ?? "there is no such book")
        } else {
            print(try response.decode(Book.self).title)
        }
        // end
        print(books, text, bytes, json)
    }

    static func validation(_ session: Session) async throws {
        // snippet validation
        let hasRequestID = Validator { response in
            response.headers.contains("X-Request-ID") ? nil : "there is no X-Request-ID"
        }
        let response = try await session.get("books")
            .validate(.status(200..<300))
            .validate(.contentType(["application/json"]))
            .validate(hasRequestID)
            .response()
        // end
        print(response.status)
    }

    static func errors(_ session: Session) async {
        // snippet errors
        do throws(SessionError) {
            let book = try await session.get("books/7").validate().decode(Book.self)
            print(book.title)
        } catch {
            switch error.reason {
            case .unacceptableResponse: print("status \(error.response?.status ?? 0): \(error.message)")
            case .undecodable: print("not a book: \(error.message)")
            case .timedOut(let limit, let duration): print("\(limit.rawValue) took longer than \(duration)")
            case .certificate(.expired): print("the certificate has expired")
            default: print("\(error.phase.rawValue): \(error.message)")
            }
        }
        // end
    }

    // MARK: Requests

    static func request(_ session: Session) async throws {
        // snippet request
        var request = Request(.put, "books/7", headers: ["Content-Type": "text/plain"])
        request.body = .text("Dune")
        request.timeouts = .total(.seconds(5))
        request.redirects = RedirectPolicy.none
        let response = try await session.send(request)
        // end
        // snippet with
        let fresh = try await session.get("books").with { $0.cachePolicy = .ignore }.response()
        // end
        print(response.status, fresh.status)
    }

    static func headers() {
        // snippet headers
        var headers: HTTPHeaders = ["Accept": "application/json"]
        headers.append("Accept-Language", "de")
        headers.append("Accept-Language", "en")
        print(headers.values("accept-language"))  // ["de", "en"]
        print(headers.combined("accept-language") ?? "")  // "de, en"
        headers["Accept"] = nil
        // end
    }

    static func bodies(_ session: Session) async throws {
        // snippet compression
        var request = Request(.post, "import", body: .file(path: "/srv/books.json"))
        request.headers["Content-Type"] = "application/json"
        request.compression = .gzip
        request.expectContinue = .seconds(1)
        request.bytesPerSecond = 1 << 20
        let response = try await session.send(request)
        // end
        print(response.status)
    }

    // MARK: Parameters

    static func parameters(_ session: Session) async throws {
        // snippet query
        let found = try await session.get("books", query: ["q": "dune", "tags": ["sf", "classic"]]).json()
        // books?q=dune&tags%5B%5D=sf&tags%5B%5D=classic
        // end
        // snippet json
        let added = try await session.post("books", json: Book(id: 8, title: "Emma")).response()
        // end
        // snippet form
        let token = try await session.post("login", form: ["user": "ada", "remember": true]).json()
        // end
        // snippet encodable
        let page = try await session.request(.get, "books", parameters: ["page": 2, "size": 50]).json()
        // end
        print(found, added, token, page)
    }

    static func dialects(_ session: Session) async throws {
        // snippet dialects
        let parameters: Parameters = [
            "name": "bang", "phone": ["mobile": "xx", "home": "xx"], "families": ["father", "mother"],
            "nums": .set([1, 2]),
        ]
        let query = try QueryEncoder.afNetworking.encode(parameters)
        // families%5B%5D=father&families%5B%5D=mother&name=bang&nums=1&nums=2&phone%5Bhome%5D=xx&phone%5Bmobile%5D=xx
        let response = try await session.get("search").query(parameters, encoder: .afNetworking).response()
        // end
        // snippet encoder
        let encoder = QueryEncoder(
            arrays: .indexInBrackets, bools: .literal, dates: .iso8601, keys: .convertToSnakeCase, keyPaths: .dots,
            spaces: .plusReplaced, sorting: .none)
        let text = try encoder.encode(["pageSize": 50, "isNew": true] as Parameters)  // page_size=50&is_new=true
        // end
        print(query, response, text)
    }

    static func serializer(_ session: Session) async throws {
        // snippet serializer
        struct TextSerializer: RequestSerializer {
            func serialize(_ parameters: some Encodable, into request: inout Request) throws {
                request.headers.set("Content-Type", "text/plain")
                request.body = .text("\(parameters)")
            }
        }
        let response = try await session.request(.post, "notes", parameters: 42, encoder: TextSerializer()).response()
        // end
        print(response)
    }

    static func multipart(_ session: Session) async throws {
        // snippet multipart
        var form = MultipartFormData()
        form.append("A title", name: "title")
        form.append(file: "/srv/report.pdf", name: "report")
        form.append(Array("a,b\n".utf8), name: "table", fileName: "Zürich \"1\".csv")
        let response = try await session.post("upload", multipart: form).validate().response()
        // end
        print(response)
    }
}
