public import JSON

extension Session {
    /// A request with parameters, which the serializer puts into the query or the body.
    public func request(
        _ method: HTTPMethod, url: some URLConvertible, headers: HTTPHeaders = .init(), parameters: Parameters,
        encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        request(Request(method, url: url, headers: headers)).parameters(parameters, encoder: encoder)
    }

    /// A request with parameters, which the serializer puts into the query or the body.
    public func request(
        _ request: Request, parameters: Parameters, encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        self.request(request).parameters(parameters, encoder: encoder)
    }

    /// A request with the members of a value, which the serializer puts into the query or the body.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod, url: some URLConvertible, headers: HTTPHeaders = .init(), parameters: some Encodable,
        encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        request(Request(method, url: url, headers: headers)).parameters(parameters, encoder: encoder)
    }

    /// A request with the members of a value, which the serializer puts into the query or the body.
    @_disfavoredOverload
    public func request(
        _ request: Request, parameters: some Encodable, encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        self.request(request).parameters(parameters, encoder: encoder)
    }

    /// A GET with parameters in its query.
    public func get(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        get(url, headers: headers).query(query)
    }

    /// A GET with the members of a value in its query.
    @_disfavoredOverload
    public func get(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        get(url, headers: headers).query(query)
    }

    /// A HEAD with parameters in its query.
    public func head(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        head(url, headers: headers).query(query)
    }

    /// A HEAD with the members of a value in its query.
    @_disfavoredOverload
    public func head(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        head(url, headers: headers).query(query)
    }

    /// A DELETE with parameters in its query.
    public func delete(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange
    {
        delete(url, headers: headers).query(query)
    }

    /// A DELETE with the members of a value in its query.
    @_disfavoredOverload
    public func delete(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        delete(url, headers: headers).query(query)
    }

    /// A POST of a value as JSON.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        post(url, headers: headers).json(value)
    }

    /// A POST of a JSON value.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        post(url, headers: headers).json(value)
    }

    /// A POST of parameters as JSON; for literals with variables of several types.
    @_disfavoredOverload
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        post(url, headers: headers).json(parameters)
    }

    /// A POST of parameters as a form.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        post(url, headers: headers).form(form)
    }

    /// A POST of the members of a value as a form.
    @_disfavoredOverload
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable)
        -> PendingExchange
    {
        post(url, headers: headers).form(form)
    }

    /// A POST of a multipart form.
    public func post(
        _ url: some URLConvertible, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        post(url, headers: headers).multipart(form)
    }

    /// A PUT of a value as JSON.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        put(url, headers: headers).json(value)
    }

    /// A PUT of a JSON value.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        put(url, headers: headers).json(value)
    }

    /// A PUT of parameters as JSON; for literals with variables of several types.
    @_disfavoredOverload
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        put(url, headers: headers).json(parameters)
    }

    /// A PUT of parameters as a form.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        put(url, headers: headers).form(form)
    }

    /// A PUT of the members of a value as a form.
    @_disfavoredOverload
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable) -> PendingExchange
    {
        put(url, headers: headers).form(form)
    }

    /// A PUT of a multipart form.
    public func put(
        _ url: some URLConvertible, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        put(url, headers: headers).multipart(form)
    }

    /// A PATCH of a value as JSON.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        patch(url, headers: headers).json(value)
    }

    /// A PATCH of a JSON value.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        patch(url, headers: headers).json(value)
    }

    /// A PATCH of parameters as JSON; for literals with variables of several types.
    @_disfavoredOverload
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        patch(url, headers: headers).json(parameters)
    }

    /// A PATCH of parameters as a form.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        patch(url, headers: headers).form(form)
    }

    /// A PATCH of the members of a value as a form.
    @_disfavoredOverload
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable)
        -> PendingExchange
    {
        patch(url, headers: headers).form(form)
    }
}

extension PendingExchange {
    /// Changes the request; why it could not be changed is thrown where the response is asked for.
    private func serialized(_ change: (inout Request) throws -> Void) -> PendingExchange {
        var copy = self
        do throws(SessionError) {
            try copy.request.change(change)
        } catch {
            copy.failure = copy.failure ?? error
        }
        return copy
    }

    /// Adds parameters to the query, whatever the method.
    public func query(_ parameters: Parameters, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .queryString)
            try serializer.serialize(parameters, into: &$0)
        }
    }

    // Overloads for any `Encodable` are disfavored, so that a literal is `Parameters`, which keep its order.

    /// Adds the members of a value, such as a structure or a dictionary, to the query, whatever the method.
    @_disfavoredOverload
    public func query(_ value: some Encodable, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .queryString)
            try serializer.serialize(value, into: &$0)
        }
    }

    /// Makes the members of a value, such as a structure or a dictionary, the body as a form, whatever the method.
    @_disfavoredOverload
    public func form(_ value: some Encodable, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .httpBody)
            try serializer.serialize(value, into: &$0)
        }
    }

    /// Makes parameters the body as a form, whatever the method.
    public func form(_ parameters: Parameters, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .httpBody)
            try serializer.serialize(parameters, into: &$0)
        }
    }

    /// Makes a value the body as JSON, whatever the method.
    public func json(_ value: some Encodable) -> PendingExchange {
        serialized { try JSONRequestSerializer.jsonBody.serialize(value, into: &$0) }
    }

    /// Makes a JSON value the body, whatever the method; numbers keep their text.
    public func json(_ value: JSONValue) -> PendingExchange {
        serialized { JSONRequestSerializer.jsonBody.serialize(value, into: &$0) }
    }

    /// Makes parameters the body as JSON, whatever the method; for literals with variables of several types.
    @_disfavoredOverload
    public func json(_ parameters: Parameters) -> PendingExchange {
        serialized { try JSONRequestSerializer.jsonBody.serialize(parameters, into: &$0) }
    }

    /// Puts parameters into the request as a serializer does it.
    public func parameters(_ parameters: Parameters, encoder: some RequestSerializer = .form) -> PendingExchange {
        serialized { try encoder.serialize(parameters, into: &$0) }
    }

    /// Puts a value into the request as a serializer does it.
    @_disfavoredOverload
    public func parameters(_ value: some Encodable, encoder: some RequestSerializer = .form) -> PendingExchange {
        serialized { try encoder.serialize(value, into: &$0) }
    }

    /// Makes a multipart form the body.
    ///
    /// The sizes of its files are asked for now; what is in them is read while the body is sent.
    public func multipart(_ form: MultipartFormData) -> PendingExchange {
        serialized { request in
            let (body, contentType) = try form.encoded(random: session.configuration.random)
            request.body = body
            request.headers.set(name: "Content-Type", value: contentType)
        }
    }
}
