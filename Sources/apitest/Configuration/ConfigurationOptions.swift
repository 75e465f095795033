/// The options that say which file a project's defaults are in; ``ProjectDefaults`` has read them before.
struct ConfigurationOptions: OptionGroup {
    var config: String?
    var noConfig = false

    static var syntax: [Syntax] {
        [
            .option(
                "config", value: "file", \.config,
                "Take the project's defaults from this file, and not from the nearest .apitest.yaml.",
                completion: .files(["yaml", "yml"])),
            .flag("no-config", \.noConfig, "Take no defaults from a file."),
        ]
    }

    func validate() throws {
        if config != nil, noConfig { throw UsageError("--config and --no-config exclude each other") }
    }
}
