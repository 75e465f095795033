import FileSystem
import Testing

@testable import FileSystem

@Suite
struct PathTests {
    @Test("A path is inside a directory only by whole components")
    func inside() {
        #expect(Path.isInside("/a/b", "/a"))
        #expect(Path.isInside("/a", "/a"))
        #expect(Path.isInside("/a/b", "/a/"))
        #expect(Path.isInside("/x", "/"))
        #expect(!Path.isInside("/ab", "/a"))
        #expect(!Path.isInside("/", "/a"))
    }

    @Test("Dots and repeated slashes are resolved, but not above the root")
    func normalized() {
        #expect(Path.normalized("/a/./b//../c") == "/a/c")
        #expect(Path.normalized("/../a") == "/a")
        #expect(Path.normalized("../a/../../b") == "../../b")
    }

    @Test("A relative path leads from a directory to a file")
    func relative() {
        #expect(Path.relative("/a/b/c", to: "/a") == "b/c")
        #expect(Path.relative("/a/b/c", to: "/a/x/y") == "../../b/c")
        #expect(Path.relative("/a", to: "/") == "a")
    }

    @Test("Parents, last components, and absolute paths are computed")
    func components() {
        #expect(Path.parent(of: "/a/b") == "/a")
        #expect(Path.parent(of: "/a") == "/")
        #expect(Path.parent(of: "a") == ".")
        #expect(Path.lastComponent(of: "/a/b") == "b")
        #expect(Path.lastComponent(of: "b") == "b")
        #expect(Path.absolute("b", in: "/a") == "/a/b")
        #expect(Path.absolute("b", in: "/") == "/b")
        #expect(Path.absolute("/b", in: "/a") == "/b")
    }

    @Test("A real path has no symbolic links and is nil if the file does not exist")
    func real() throws {
        #expect(Path.real("/") == "/")
        #expect(Path.real("/proc/self/../..") == "/")
        #expect(Path.real("/this/is/not/there") == nil)
        #expect(Path.real(Path.workingDirectory) == Path.workingDirectory)
    }

    @Test("Environment variables are read whole, even with an equals sign in the value")
    func environment() {
        #expect(ProcessEnvironment.variables()["PATH"]?.isEmpty == false)
    }
}
