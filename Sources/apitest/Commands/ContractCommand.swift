/// `apitest contract check|generate|…`
struct ContractCommand: CommandFolder {
    static let description = CommandDescription(
        name: "contract", abstract: "Work with OpenAPI descriptions.",
        discussion:
            "Descriptions follow OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, in YAML or JSON, in one or several files.",
        subcommands: [
            ContractCheckCommand.self, ContractCoverageCommand.self, ContractDiffCommand.self,
            ContractGenerateCommand.self,
        ])
}
