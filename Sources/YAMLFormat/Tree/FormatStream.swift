/// The documents of a text with the tokens they are made of.
struct FormatStream {
    /// A document.
    struct Document {
        var directives: [Int] = []
        /// The `---`.
        var start: Int?
        var root = FormatNode()
        /// The `...` after it.
        var ends: [Int] = []
        /// Comments at the beginning that stay there when keys move.
        var head: [Comment] = []
    }

    var tokens: [Token]
    /// What is before each token; comments that belong to the block before it are taken out.
    var trivia: [Trivia]
    /// The comment behind each token.
    var trailing: [Int: TrailingComment]
    var documents: [Document] = []
}
