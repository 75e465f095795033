/// The value of the first of several serializers that succeeds.
public struct CompoundResponseSerializer<Value: Sendable>: ResponseSerializer {
    /// The serializers, in the order they are tried.
    public var serializers: [any ResponseSerializer<Value>]

    /// Creates a serializer; ``ResponseSerializer/map(_:)`` brings others to the same type.
    public init(_ serializers: [any ResponseSerializer<Value>]) {
        self.serializers = serializers
    }

    /// The first value.
    /// - Throws: ``ResponseSerializationError/allFailed(_:)`` with the error of each.
    public func serialize(_ response: Response) throws -> Value {
        var errors: [any Error] = []
        for serializer in serializers {
            do {
                return try serializer.serialize(response)
            } catch {
                errors.append(error)
            }
        }
        throw ResponseSerializationError.allFailed(errors)
    }
}
