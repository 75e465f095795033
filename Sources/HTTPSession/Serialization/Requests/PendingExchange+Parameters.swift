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

    /// Puts a value into the request as a serializer does it.
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
            request.headers.set("Content-Type", contentType)
        }
    }
}
