public import JSON

extension Session {
    /// A request with parameters, which the serializer puts into the query or the body.
    public func request(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = .init(), parameters: some Encodable,
        encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        request(Request(method, url, headers: headers)).parameters(parameters, encoder: encoder)
    }

    /// A request with parameters, which the serializer puts into the query or the body.
    public func request(
        _ request: Request, parameters: some Encodable, encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        self.request(request).parameters(parameters, encoder: encoder)
    }

    /// A GET with parameters in its query.
    public func get(_ url: String, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        get(url, headers: headers).query(query)
    }

    /// A HEAD with parameters in its query.
    public func head(_ url: String, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        head(url, headers: headers).query(query)
    }

    /// A DELETE with parameters in its query.
    public func delete(_ url: String, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        delete(url, headers: headers).query(query)
    }

    /// A POST of a value as JSON.
    public func post(_ url: String, headers: HTTPHeaders = .init(), json value: some Encodable) -> PendingExchange {
        post(url, headers: headers).json(value)
    }

    /// A POST of a JSON value.
    public func post(_ url: String, headers: HTTPHeaders = .init(), json value: JSONValue) -> PendingExchange {
        post(url, headers: headers).json(value)
    }

    /// A POST of parameters as a form.
    public func post(_ url: String, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        post(url, headers: headers).form(form)
    }

    /// A POST of a multipart form.
    public func post(
        _ url: String, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        post(url, headers: headers).multipart(form)
    }

    /// A PUT of a value as JSON.
    public func put(_ url: String, headers: HTTPHeaders = .init(), json value: some Encodable) -> PendingExchange {
        put(url, headers: headers).json(value)
    }

    /// A PUT of a JSON value.
    public func put(_ url: String, headers: HTTPHeaders = .init(), json value: JSONValue) -> PendingExchange {
        put(url, headers: headers).json(value)
    }

    /// A PUT of parameters as a form.
    public func put(_ url: String, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        put(url, headers: headers).form(form)
    }

    /// A PUT of a multipart form.
    public func put(
        _ url: String, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        put(url, headers: headers).multipart(form)
    }

    /// A PATCH of a value as JSON.
    public func patch(_ url: String, headers: HTTPHeaders = .init(), json value: some Encodable) -> PendingExchange {
        patch(url, headers: headers).json(value)
    }

    /// A PATCH of a JSON value.
    public func patch(_ url: String, headers: HTTPHeaders = .init(), json value: JSONValue) -> PendingExchange {
        patch(url, headers: headers).json(value)
    }

    /// A PATCH of parameters as a form.
    public func patch(_ url: String, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        patch(url, headers: headers).form(form)
    }
}
