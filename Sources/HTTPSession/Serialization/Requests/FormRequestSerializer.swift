/// Puts parameters into the query, or into the body as `application/x-www-form-urlencoded`.
public struct FormRequestSerializer: RequestSerializer {
    /// Makes the text.
    public var encoder: QueryEncoder
    /// Where it goes.
    public var destination: ParameterDestination
    /// The `Content-Type` of a body.
    public var contentType: String

    /// Creates a serializer.
    public init(
        encoder: QueryEncoder = .alamofire, destination: ParameterDestination = .methodDependent,
        contentType: String = "application/x-www-form-urlencoded"
    ) {
        self.encoder = encoder
        self.destination = destination
        self.contentType = contentType
    }

    /// What Alamofire's `URLEncodedFormParameterEncoder` does.
    public static let alamofire = FormRequestSerializer(
        encoder: .alamofire, contentType: "application/x-www-form-urlencoded; charset=utf-8")
    /// What AFNetworking's `AFHTTPRequestSerializer` does.
    public static let afNetworking = FormRequestSerializer(encoder: .afNetworking)

    /// Adds the parameters to the request's query after a "&", or makes them its body.
    public func serialize(_ parameters: some Encodable, into request: inout Request) throws {
        put(try encoder.encode(parameters), into: &request)
    }

    /// Adds the parameters to the request's query after a "&", or makes them its body.
    public func serialize(_ parameters: Parameters, into request: inout Request) throws {
        put(try encoder.encode(parameters), into: &request)
    }

    private func put(_ text: String, into request: inout Request) {
        if destination.isQuery(for: request.method) {
            request.appendQuery(text)
        } else {
            request.setBody(Array(text.utf8), contentType: contentType)
        }
    }
}

extension RequestSerializer where Self == FormRequestSerializer {
    /// Parameters in the query for GET, HEAD and DELETE, as a form in the body otherwise.
    public static var form: FormRequestSerializer { FormRequestSerializer() }
    /// Parameters in the query whatever the method.
    public static var query: FormRequestSerializer { FormRequestSerializer(destination: .queryString) }

    /// Parameters in the query or as a form in the body.
    public static func form(
        _ encoder: QueryEncoder, destination: ParameterDestination = .methodDependent
    ) -> FormRequestSerializer {
        FormRequestSerializer(encoder: encoder, destination: destination)
    }
}
