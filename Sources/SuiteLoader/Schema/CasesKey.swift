/// Keys of `cases` that name a file and say how it is read.
enum CasesKey: String, CaseIterable, Sendable {
    case file, format, delimiter, columns

    static let schema = MapSchema<CasesKey>(
        "cases", title: "\"cases\"", "A file of rows, and how it is read.",
        rows: [
            .init(.file, .string, required: true, "The path of the file; it resolves against the suite's folder."),
            .init(
                .format, .choice(DataFormat.allCases.map(\.rawValue)),
                "How the file is written; without it, what its name ends with says so."),
            .init(.delimiter, .string, "The character between the fields of a CSV file; without it, a comma."),
            .init(
                .columns, .list(.string),
                "The columns of a CSV file that has no header, each as in a header: `count:int`."),
        ])
}
