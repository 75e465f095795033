import Basics
import JSON

/// Functions that depend on the environment: `env`, `file`, `now`, `uuid`, `random`, and `randomString`.
enum EnvironmentFunctions {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    static func register(in functions: inout CELFunctions) {
        functions.function("env", counts: 1...2, isPure: false) { values, state throws(CELFailure) in
            guard case .string(let name) = values[0] else { throw .noOverload }
            if let text = state.context.environment(name) { return .string(text) }
            guard values.count == 2 else {
                throw .message(
                    "the environment variable \"\(name)\" is not set; for a default, write env(name, default)")
            }
            return values[1]
        }
        functions.function("file", isPure: false) { value, state throws(CELFailure) in
            guard case .string(let path) = value else { throw .noOverload }
            return try file(path, &state)
        }
        functions.function("now", counts: 0...0, isPure: false) { _, state throws(CELFailure) in
            .timestamp(state.context.clock())
        }
        functions.function("uuid", counts: 0...0, isPure: false) { _, state throws(CELFailure) in
            .string(state.context.random.uuid())
        }
        functions.function("random", isPure: false) { low, high, state throws(CELFailure) in
            try random(low, high, state.context.random)
        }
        functions.function("randomString", isPure: false) { value, state throws(CELFailure) in
            guard case .int(let length) = value else { throw .noOverload }
            guard let count = Int(exactly: length), count >= 0 else {
                throw .message("the length of randomString() must not be negative")
            }
            try state.meter.allocate(count)
            try state.meter.step(count)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            for _ in 0..<count {
                bytes.append(alphabet[Int(state.context.random.next(below: UInt64(alphabet.count)))])
            }
            return .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Returns the contents of a file as a string if they are UTF-8, otherwise as bytes.
    private static func file(_ path: String, _ state: inout CallState) throws(CELFailure) -> CELValue {
        let bytes: [UInt8]
        do {
            bytes = try state.context.readFile(path)
        } catch {
            throw .message("cannot read \(Quoting.quoted(path)): \(error)")
        }
        try state.meter.allocate(bytes.count)
        if let text = String(validating: bytes, as: UTF8.self) { return .string(text) }
        return .bytes(bytes)
    }

    /// Returns a random integer between two inclusive bounds, or a double if a bound is not an integer.
    private static func random(
        _ low: CELValue, _ high: CELValue, _ source: CELRandomSource
    ) throws(CELFailure) -> CELValue {
        if case .int(let low) = low, case .int(let high) = high {
            guard low <= high else { throw .message("the lower bound of random() must not exceed the upper bound") }
            let span = UInt64(bitPattern: high) &- UInt64(bitPattern: low)
            let offset = span == .max ? source.next() : source.next(below: span + 1)
            return .int(Int64(bitPattern: UInt64(bitPattern: low) &+ offset))
        }
        guard let low = number(low), let high = number(high) else { throw .noOverload }
        guard low <= high, low.isFinite, high.isFinite else {
            throw .message("the lower bound of random() must not exceed the upper bound")
        }
        let fraction = Double(source.next() >> 11) * 0x1p-53
        return .double(min(high, low + fraction * (high - low)))
    }

    private static func number(_ value: CELValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        case .number(let number): number.double
        default: nil
        }
    }
}
