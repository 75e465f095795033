import ArgumentParser

/// The options that say which file a project's defaults are in; ``ProjectDefaults`` has read them before.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Take the project's defaults from this file, and not from the nearest .apitest.yaml.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Flag(name: .long, help: "Take no defaults from a file.")
    var noConfig = false

    func validate() throws {
        if config != nil, noConfig { throw ValidationError("--config and --no-config exclude each other") }
    }
}
