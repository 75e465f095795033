/// How a transport hands over a response's body.
public enum ResponseDelivery: Sendable, Hashable {
    /// With the response, once all of it is there.
    case whole
    /// As a stream; the response is given when its head is there.
    case streamed
}
