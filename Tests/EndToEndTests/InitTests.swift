import Testing

/// Tests of `init` and the files that it creates.
@Suite(.serialized)
struct InitTests {
    private static let names = ["shop.apitest.yaml", "shop.mock.yaml", ".apitest.yaml"]

    @Test func starterRunsAndIsClean() async throws {
        let folder = try TemporaryFolder()
        let written = try await Program.run(["init", "new/shop"], in: folder.path)
        #expect(written.ending == .exit(0), "\(written.error)")
        #expect(written.output.contains("wrote new/shop/shop.apitest.yaml"))
        let shop = folder.path + "/new/shop"
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
        let folder = try TemporaryFolder()
        _ = try await Program.run(["init"], in: folder.path)
        let examples =
            TestFiles.target.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/examples/starter"
        for name in Self.names {
            #expect(TestFiles.text("\(folder.path)/\(name)") == TestFiles.text("\(examples)/\(name)"), "\(name)")
            #expect(TestFiles.text("\(folder.path)/\(name)") != nil)
        }
    }

    @Test func nothingIsOverwritten() async throws {
        let folder = try TemporaryFolder()
        TestFiles.write("mine\n".utf8, to: folder.path + "/shop.mock.yaml")
        let run = try await Program.run(["init"], in: folder.path)
        #expect(run.ending == .exit(2))
        #expect(
            run.error
                == "apitest: init: shop.mock.yaml already exists, and nothing was written: choose another directory, as in \"apitest init shop\"\n"
        )
        #expect(TestFiles.text(folder.path + "/shop.mock.yaml") == "mine\n")
        #expect(TestFiles.names(in: folder.path).contains("shop.apitest.yaml") == false)
    }

    @Test func folderThatCannotBeMade() async throws {
        let folder = try TemporaryFolder()
        TestFiles.write("".utf8, to: folder.path + "/file")
        let run = try await Program.run(["init", "file/shop"], in: folder.path)
        #expect(run.ending == .exit(2))
        #expect(run.error.contains("cannot be created"), "\(run.error)")
    }
}
