/// The style of the page.
enum HTMLStyle {
    /// The whole style sheet; the dark colors hold where the system or the reader asks for them.
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
        \(base)
        \(overview)
        \(detail)
        \(small)

        """
}
