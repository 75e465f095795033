import CLibFuzzer
import FuzzProperties
import Glibc

/// Runs libFuzzer on the target that the environment variable FUZZ_TARGET names, with libFuzzer's own arguments.
@main
enum FuzzDriver {
    /// The target comes from the environment and not from an argument, because libFuzzer restarts itself with its arguments.
    static let target = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

    static func main() {
        guard target != nil else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            print("FUZZ_TARGET must be one of \(names)")
            exit(2)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { FuzzDriver.check($0, $1) })
    }

    private static func check(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        do {
            try target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            // libFuzzer keeps the input of an abnormal exit.
            print("PROPERTY: \(error)")
            fflush(nil)
            abort()
        }
        return 0
    }
}
