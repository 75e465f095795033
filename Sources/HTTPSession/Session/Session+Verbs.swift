extension Session {
    /// An exchange of the given request; nothing is sent before its response is asked for.
    public func request(_ request: Request) -> PendingExchange {
        PendingExchange(session: self, request: request)
    }

    /// A GET of a URL or a reference to be resolved against the base URL.
    public func get(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.get, url: url, headers: headers))
    }

    /// A HEAD of a URL or a reference to be resolved against the base URL.
    public func head(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.head, url: url, headers: headers))
    }

    /// An OPTIONS of a URL or a reference to be resolved against the base URL.
    public func options(_ url: some URLConvertible, headers: HTTPHeaders = .init()) -> PendingExchange {
        request(Request(.options, url: url, headers: headers))
    }

    /// A DELETE of a URL or a reference to be resolved against the base URL.
    public func delete(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.delete, url: url, headers: headers, body: body))
    }

    /// A POST to a URL or a reference to be resolved against the base URL.
    public func post(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.post, url: url, headers: headers, body: body))
    }

    /// A PUT to a URL or a reference to be resolved against the base URL.
    public func put(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.put, url: url, headers: headers, body: body))
    }

    /// A PATCH of a URL or a reference to be resolved against the base URL.
    public func patch(_ url: some URLConvertible, headers: HTTPHeaders = .init(), body: RequestBody = .empty)
        -> PendingExchange
    {
        request(Request(.patch, url: url, headers: headers, body: body))
    }
}
