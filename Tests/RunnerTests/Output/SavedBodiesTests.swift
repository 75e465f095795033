import Basics
import Glibc
import Testing

@testable import Runner

@Testing.Suite("Bodies that steps save")
struct SavedBodiesTests {
    private let directory: String

    init() {
        var template = Array("/tmp/apitest-saved-XXXXXX".utf8CString)
        directory = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    private func text(_ path: String) -> String? {
        guard let file = fopen("\(directory)/\(path)", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func problem(_ saved: SavedBodies, _ path: String, owner: String = "a") -> String? {
        do throws(SavedBodies.Failure) {
            try saved.save([0x61], to: path, owner: owner)
            return nil
        } catch {
            return error.message.text
        }
    }

    @Test("A body is written below a directory that does not exist yet")
    func written() {
        let saved = SavedBodies(directory: directory + "/new/out")
        #expect(problem(saved, "a/b.txt") == nil)
        #expect(text("new/out/a/b.txt") == "a")
    }

    @Test("Only the same step replaces its file")
    func owners() {
        let saved = SavedBodies(directory: directory)
        #expect(problem(saved, "a.txt") == nil)
        #expect(problem(saved, "./a.txt") == nil)
        #expect(
            problem(saved, "a.txt", owner: "b")
                == "\"a.txt\" was already saved by another step, call or iteration of this run; use a different path")
    }

    @Test("No path leaves the directory", arguments: ["../a", "/tmp/a", "a/../../b", "", "a/", "link/a"])
    func outside(_ path: String) {
        symlink("/", directory + "/link")
        #expect(problem(SavedBodies(directory: directory), path) != nil)
    }
}
