/// Changes a body before a value is made of it.
public struct BodyPreprocessor: Sendable {
    /// Gives the body to be used.
    public let process: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a preprocessor of a function.
    public init(_ process: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        self.process = process
    }

    /// Drops the line `)]}',` with which some services keep their JSON from being run as a script.
    public static let xssiPrefix = BodyPreprocessor { body in
        let prefix = Array(")]}',\n".utf8)
        return body.starts(with: prefix) ? Array(body.dropFirst(prefix.count)) : body
    }
}

extension [BodyPreprocessor] {
    /// The body after all of them, in order.
    func processed(_ body: [UInt8]) throws -> [UInt8] {
        var body = body
        for preprocessor in self { body = try preprocessor.process(body) }
        return body
    }
}
