import CAssets

/// The markup of the page, which its script fills.
enum HTMLMarkup {
    static let text = String(Asset.reportMarkup)
}

/// The script of the page: plain JavaScript that renders the embedded data.
enum HTMLScript {
    /// The whole script, in its own scope.
    static let text = "\n\"use strict\";\n(() => {\n\(String(Asset.reportScript))})();\n"
}

/// The CSS of the page.
enum HTMLStyle {
    /// The whole CSS.
    ///
    /// The dark colors apply if the system or the reader selects a dark theme.
    static let text = """
        :root {
        \(light)
        }
        @media (prefers-color-scheme: dark) {
        :root:not([data-theme=light]) {
        color-scheme: dark;
        \(dark)
        }
        }
        :root[data-theme=dark] {
        color-scheme: dark;
        \(dark)
        }
        @media print {
        :root:root:root {
        color-scheme: light;
        \(light)
        }
        }
        \(String(Asset.reportStyle))
        """

    /// The colors of the light theme.
    static let light = declarations(of: String(Asset.reportLight))
    /// The colors of the dark theme.
    static let dark = declarations(of: String(Asset.reportDark))

    /// Returns the declarations of CSS with a single rule.
    private static func declarations(of sheet: String) -> String {
        sheet.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    }
}

extension String {
    fileprivate init(_ asset: Asset) {
        self.init(decoding: UnsafeBufferPointer(start: asset.bytes, count: asset.count), as: UTF8.self)
    }
}
