import Testing

/// Tests of `init` and the files that it creates.
@Suite(.serialized)
struct InitTests {
    private static let names = ["shop.apitest.yaml", "shop.mock.yaml", ".apitest.yaml"]

    @Test func starterRunsAndIsClean() async throws {
        let directory = try TemporaryDirectory()
        let written = try await Program.run(["init", "new/shop"], in: directory.path)
        #expect(written.ending == .exit(0), "\(written.error)")
        #expect(written.output.contains("wrote new/shop/shop.apitest.yaml"))
        let shop = directory.path + "/new/shop"
        for arguments in [[], ["lint", "--strict", "--enable", "no-expectation"], ["list"]] {
            let run = try await Program.run(arguments, in: shop)
            #expect(run.ending == .exit(0), "\(arguments): \(run.output)\(run.error)")
            #expect(run.error.isEmpty, "\(arguments): \(run.error)")
        }
        let run = try await Program.run([], in: shop)
        #expect(run.output.contains("6 passed"), "\(run.output)")
    }

    /// The generated files equal `examples/starter`.
    @Test func starterIsTheExample() async throws {
        let directory = try TemporaryDirectory()
        _ = try await Program.run(["init"], in: directory.path)
        let examples =
            TestFiles.target.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/examples/starter"
        for name in Self.names {
            #expect(TestFiles.text("\(directory.path)/\(name)") == TestFiles.text("\(examples)/\(name)"), "\(name)")
            #expect(TestFiles.text("\(directory.path)/\(name)") != nil)
        }
    }

    @Test func nothingIsOverwritten() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write("mine\n".utf8, to: directory.path + "/shop.mock.yaml")
        let run = try await Program.run(["init"], in: directory.path)
        #expect(run.ending == .exit(2))
        #expect(
            run.error
                == "apitest: init: \"shop.mock.yaml\" already exists, and nothing was written: choose another directory, as in \"apitest init shop\" [existing-file]\n"
        )
        #expect(TestFiles.text(directory.path + "/shop.mock.yaml") == "mine\n")
        #expect(TestFiles.names(in: directory.path).contains("shop.apitest.yaml") == false)
    }

    @Test func folderThatCannotBeMade() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write("".utf8, to: directory.path + "/file")
        let run = try await Program.run(["init", "file/shop"], in: directory.path)
        #expect(run.ending == .exit(2))
        #expect(run.error.contains("cannot be created"), "\(run.error)")
    }
}
