public import JSON

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
