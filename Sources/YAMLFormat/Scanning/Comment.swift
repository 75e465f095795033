/// A comment on a line of its own.
struct Comment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of bytes before it in its line.
    var column: Int
    /// Whether a blank line comes before it.
    var isAfterBlank: Bool
}

/// A comment behind something on its line.
struct TrailingComment {
    /// The bytes from `#` to the last visible character.
    var text: Range<Int>
    /// The number of blanks before it.
    var gap: Int
    /// The number of bytes between the first content of its line and the comment.
    var column: Int
}
