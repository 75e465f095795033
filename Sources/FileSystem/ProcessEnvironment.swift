#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The environment variables at the start of the process.
package enum ProcessEnvironment {
    /// Returns all variables; call it once, before anything changes them.
    package static func variables() -> [String: String] {
        var result: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            pointer += 1
        }
        return result
    }

    /// Returns whether the variables are those of a CI job: `CI` is set, and is neither empty nor `0` nor `false`.
    package static func isContinuousIntegration(_ variables: [String: String]) -> Bool {
        guard let value = variables["CI"] else { return false }
        return !["", "0", "false"].contains(value.lowercased())
    }
}

/// Arrays of C strings in the form that `posix_spawn` expects for arguments and environments.
package enum CStringArray {
    /// Calls a closure with a null-terminated array of C strings, which is valid until the closure returns.
    package static func with(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
        pointers.append(nil)
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return EINVAL }
            return body(base)
        }
    }
}
