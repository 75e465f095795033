import ArgumentParser
import SuiteLoader
import Testing

@testable import apitest

/// The table of commands and options says what the argument parser says.
struct OptionTableTests {
    @Test func hasTheParsersCommands() {
        var names: [String] = []
        for command in Apitest.configuration.subcommands { names.append(command._commandName) }
        #expect(OptionTable.commands == names)
    }

    @Test(arguments: OptionCatalog.commands)
    func hasTheParsersOptions(command: String) throws {
        let described = OptionCatalog.described()
        let table = OptionCatalog()
        var options = try #require(described.options[command])
        for index in options.indices { options[index].documentation = "" }
        #expect(table.options[command] == options)
        #expect(table.spellings[command] == described.spellings[command])
    }
}
