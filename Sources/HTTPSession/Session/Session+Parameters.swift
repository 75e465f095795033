public import JSON

extension Session {
    /// Creates a request with parameters, which the encoder adds to the query or the body.
    /// - Parameters:
    ///   - method: The method.
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header.
    ///   - parameters: The parameters.
    ///   - encoder: The serializer of the parameters. By default they go into the query of a GET, HEAD or DELETE, and
    ///     into a form body otherwise.
    public func request(
        _ method: HTTPMethod, url: some URLConvertible, headers: HTTPHeaders = .init(), parameters: Parameters,
        encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        request(Request(method, url: url, headers: headers)).parameters(parameters, encoder: encoder)
    }

    /// Creates an exchange for a request with parameters, which the encoder adds to the query or the body.
    /// - Parameters:
    ///   - request: The request.
    ///   - parameters: The parameters.
    ///   - encoder: The serializer that adds the parameters to the request.
    public func request(
        _ request: Request, parameters: Parameters, encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        self.request(request).parameters(parameters, encoder: encoder)
    }

    /// Creates a request with the members of a value, which the encoder adds to the query or the body.
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - parameters: A value that encodes itself as key-value pairs.
    ///   - encoder: The serializer that adds the parameters to the request.
    @_disfavoredOverload
    public func request(
        _ method: HTTPMethod, url: some URLConvertible, headers: HTTPHeaders = .init(), parameters: some Encodable,
        encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        request(Request(method, url: url, headers: headers)).parameters(parameters, encoder: encoder)
    }

    /// Creates an exchange for a request with the members of a value, which the encoder adds to the query or the body.
    /// - Parameters:
    ///   - request: The request.
    ///   - parameters: A value that encodes itself as key-value pairs.
    ///   - encoder: The serializer that adds the parameters to the request.
    @_disfavoredOverload
    public func request(
        _ request: Request, parameters: some Encodable, encoder: some RequestSerializer = .form
    ) -> PendingExchange {
        self.request(request).parameters(parameters, encoder: encoder)
    }

    /// Creates a GET request with parameters in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: The query parameters.
    ///   - headers: The header fields.
    public func get(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        get(url, headers: headers).query(query)
    }

    /// Creates a GET request with the members of a value in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: A value that encodes itself as key-value pairs.
    ///   - headers: The header fields.
    @_disfavoredOverload
    public func get(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        get(url, headers: headers).query(query)
    }

    /// Creates a HEAD request with parameters in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: The query parameters.
    ///   - headers: The header fields.
    public func head(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange {
        head(url, headers: headers).query(query)
    }

    /// Creates a HEAD request with the members of a value in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: A value that encodes itself as key-value pairs.
    ///   - headers: The header fields.
    @_disfavoredOverload
    public func head(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        head(url, headers: headers).query(query)
    }

    /// Creates a DELETE request with parameters in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: The query parameters.
    ///   - headers: The header fields.
    public func delete(_ url: some URLConvertible, query: Parameters, headers: HTTPHeaders = .init()) -> PendingExchange
    {
        delete(url, headers: headers).query(query)
    }

    /// Creates a DELETE request with the members of a value in the query.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - query: A value that encodes itself as key-value pairs.
    ///   - headers: The header fields.
    @_disfavoredOverload
    public func delete(_ url: some URLConvertible, query: some Encodable, headers: HTTPHeaders = .init())
        -> PendingExchange
    {
        delete(url, headers: headers).query(query)
    }

    /// Creates a POST request with a value encoded as JSON.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The value to encode.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        post(url, headers: headers).json(value)
    }

    /// Creates a POST request with a JSON value.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The JSON value.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        post(url, headers: headers).json(value)
    }

    /// Creates a POST request with parameters encoded as JSON, for literals that contain variables of different types.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - parameters: The parameters.
    @_disfavoredOverload
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        post(url, headers: headers).json(parameters)
    }

    /// Creates a POST request with parameters encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: The form fields.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        post(url, headers: headers).form(form)
    }

    /// Creates a POST request with the members of a value encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: A value that encodes itself as key-value pairs.
    @_disfavoredOverload
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable)
        -> PendingExchange
    {
        post(url, headers: headers).form(form)
    }

    /// Creates a POST request with a multipart form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: The form.
    public func post(
        _ url: some URLConvertible, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        post(url, headers: headers).multipart(form)
    }

    /// Creates a PUT request with a value encoded as JSON.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The value to encode.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        put(url, headers: headers).json(value)
    }

    /// Creates a PUT request with a JSON value.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The JSON value.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        put(url, headers: headers).json(value)
    }

    /// Creates a PUT request with parameters encoded as JSON, for literals that contain variables of different types.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - parameters: The parameters.
    @_disfavoredOverload
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        put(url, headers: headers).json(parameters)
    }

    /// Creates a PUT request with parameters encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: The form fields.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        put(url, headers: headers).form(form)
    }

    /// Creates a PUT request with the members of a value encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: A value that encodes itself as key-value pairs.
    @_disfavoredOverload
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable) -> PendingExchange
    {
        put(url, headers: headers).form(form)
    }

    /// Creates a PUT request with a multipart form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: The form.
    public func put(
        _ url: some URLConvertible, headers: HTTPHeaders = .init(), multipart form: MultipartFormData
    ) -> PendingExchange {
        put(url, headers: headers).multipart(form)
    }

    /// Creates a PATCH request with a value encoded as JSON.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The value to encode.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: some Encodable)
        -> PendingExchange
    {
        patch(url, headers: headers).json(value)
    }

    /// Creates a PATCH request with a JSON value.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - value: The JSON value.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json value: JSONValue)
        -> PendingExchange
    {
        patch(url, headers: headers).json(value)
    }

    /// Creates a PATCH request with parameters encoded as JSON, for literals that contain variables of different types.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - parameters: The parameters.
    @_disfavoredOverload
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), json parameters: Parameters)
        -> PendingExchange
    {
        patch(url, headers: headers).json(parameters)
    }

    /// Creates a PATCH request with parameters encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: The form fields.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: Parameters) -> PendingExchange {
        patch(url, headers: headers).form(form)
    }

    /// Creates a PATCH request with the members of a value encoded as a form.
    /// - Parameters:
    ///   - url: A URL, which is resolved against the base URL if it is relative.
    ///   - headers: The header fields.
    ///   - form: A value that encodes itself as key-value pairs.
    @_disfavoredOverload
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), form: some Encodable)
        -> PendingExchange
    {
        patch(url, headers: headers).form(form)
    }
}

extension PendingExchange {
    /// Changes the request; an error is stored, and thrown when the response is requested.
    private func serialized(_ change: (inout Request) throws -> Void) -> PendingExchange {
        var copy = self
        do throws(SessionError) {
            try copy.request.change(change)
        } catch {
            copy.failure = copy.failure ?? error
        }
        return copy
    }

    /// Adds parameters to the query, regardless of the method.
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - encoder: The encoder of the parameters.
    public func query(_ parameters: Parameters, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .queryString)
            try serializer.serialize(parameters, into: &$0)
        }
    }

    // Overloads for `Encodable` are disfavored, so that a dictionary literal becomes `Parameters`, which keeps its
    // order.

    /// Adds the members of a value, such as a structure or a dictionary, to the query, regardless of the method.
    /// - Parameters:
    ///   - value: A value that encodes itself as key-value pairs.
    ///   - encoder: The encoder of the parameters.
    @_disfavoredOverload
    public func query(_ value: some Encodable, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .queryString)
            try serializer.serialize(value, into: &$0)
        }
    }

    /// Sets the body to the members of a value, such as a structure or a dictionary, encoded as a form.
    /// - Parameters:
    ///   - value: A value that encodes itself as key-value pairs.
    ///   - encoder: The encoder of the parameters.
    @_disfavoredOverload
    public func form(_ value: some Encodable, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .httpBody)
            try serializer.serialize(value, into: &$0)
        }
    }

    /// Sets the body to parameters encoded as a form, regardless of the method.
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - encoder: The encoder of the parameters.
    public func form(_ parameters: Parameters, encoder: QueryEncoder = .alamofire) -> PendingExchange {
        serialized {
            let serializer = FormRequestSerializer(encoder: encoder, destination: .httpBody)
            try serializer.serialize(parameters, into: &$0)
        }
    }

    /// Sets the body to a value encoded as JSON, regardless of the method.
    /// - Parameter value: The value to encode.
    public func json(_ value: some Encodable) -> PendingExchange {
        serialized { try JSONRequestSerializer.jsonBody.serialize(value, into: &$0) }
    }

    /// Sets the body to a JSON value, whose numbers keep their original spelling.
    /// - Parameter value: The JSON value.
    public func json(_ value: JSONValue) -> PendingExchange {
        serialized { JSONRequestSerializer.jsonBody.serialize(value, into: &$0) }
    }

    /// Sets the body to parameters encoded as JSON, for literals that contain variables of different types.
    /// - Parameter parameters: The parameters.
    @_disfavoredOverload
    public func json(_ parameters: Parameters) -> PendingExchange {
        serialized { try JSONRequestSerializer.jsonBody.serialize(parameters, into: &$0) }
    }

    /// Adds parameters to the request with an encoder, which chooses the query or the body.
    /// - Parameters:
    ///   - parameters: The parameters.
    ///   - encoder: The serializer that adds the parameters to the request.
    public func parameters(_ parameters: Parameters, encoder: some RequestSerializer = .form) -> PendingExchange {
        serialized { try encoder.serialize(parameters, into: &$0) }
    }

    /// Adds the members of a value to the request with an encoder, which chooses the query or the body.
    /// - Parameters:
    ///   - value: A value that encodes itself as key-value pairs.
    ///   - encoder: The serializer that adds the parameters to the request.
    @_disfavoredOverload
    public func parameters(_ value: some Encodable, encoder: some RequestSerializer = .form) -> PendingExchange {
        serialized { try encoder.serialize(value, into: &$0) }
    }

    /// Sets the body to a multipart form.
    ///
    /// The sizes of its files are determined now. Their contents are read while the body is sent.
    /// - Parameter form: The form.
    public func multipart(_ form: MultipartFormData) -> PendingExchange {
        serialized { request in
            let (body, contentType) = try form.encoded(random: session.configuration.random)
            request.body = body
            request.headers.set(name: "Content-Type", value: contentType)
        }
    }
}
