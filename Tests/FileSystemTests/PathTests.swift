import FileSystem
import Testing

@testable import FileSystem

@Suite
struct PathTests {
    @Test("A path is inside of a directory by whole components")
    func inside() {
        #expect(Path.isInside("/a/b", "/a"))
        #expect(Path.isInside("/a", "/a"))
        #expect(Path.isInside("/a/b", "/a/"))
        #expect(Path.isInside("/x", "/"))
        #expect(!Path.isInside("/ab", "/a"))
        #expect(!Path.isInside("/", "/a"))
    }

    @Test("Dots and repeated slashes are resolved, and nothing is above the root")
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

    @Test("Parents, names and absolute paths")
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

    @Test("A real path has no symbolic links; there is none where nothing is")
    func real() throws {
        #expect(Path.real("/") == "/")
        #expect(Path.real("/proc/self/../..") == "/")
        #expect(Path.real("/this/is/not/there") == nil)
        #expect(Path.real(Path.workingDirectory) == Path.workingDirectory)
    }

    @Test("Variables of the environment are whole, also with = in their value")
    func environment() {
        #expect(ProcessEnvironment.variables()["PATH"]?.isEmpty == false)
    }
}
