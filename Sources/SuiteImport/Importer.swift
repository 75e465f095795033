package import Diagnostics

/// A reader of the files of another tool.
///
/// An importer fills the intermediate form (``ImportedSuite``). It executes nothing, uses no network, and reads other
/// files only through ``ImportContext/files``. Every part of a source is translated, or becomes a note of
/// ``ImportContext/untranslated(_:in:line:source:isAssertion:)``; an error of the input is a diagnostic with its location.
package protocol Importer: SendableMetatype {
    /// The name of the format, for `--format`.
    static var format: ImportFormat { get }
    /// Returns whether the contents of a file have the format.
    static func recognizes(_ file: SourceFile) -> Bool
    /// Returns the suites of all files that have the format.
    ///
    /// - Parameters:
    ///   - files: The files in the order in which they were given. Some may be supplements, such as environments.
    ///   - context: The state of the import.
    static func suites(of files: [SourceFile], _ context: inout ImportContext) -> [ImportedSuite]
}

/// The formats that can be imported.
package enum ImportFormat: String, Sendable, CaseIterable {
    case curl, postman, bruno, har, hurl, gabbi, tavern

    /// The name of the format in messages.
    package var title: String {
        switch self {
        case .curl: "curl command lines"
        case .postman: "Postman collections"
        case .bruno: "Bruno collections"
        case .har: "HTTP Archives (HAR)"
        case .hurl: "Hurl files"
        case .gabbi: "gabbi files"
        case .tavern: "Tavern files"
        }
    }

    /// The file name suffixes, in lowercase, that the name of the suite's file does not keep.
    static let suffixes = [
        ".postman_collection.json", ".har", ".curl", ".bru", ".hurl", ".tavern", ".sh", ".txt", ".json", ".yaml",
        ".yml",
    ]

    var importer: any Importer.Type {
        switch self {
        case .curl: CurlImporter.self
        case .postman: PostmanImporter.self
        case .bruno: BrunoImporter.self
        case .har: HARImporter.self
        case .hurl: HurlImporter.self
        case .gabbi: GabbiImporter.self
        case .tavern: TavernImporter.self
        }
    }
}
