public import Diagnostics

/// One difference between two descriptions of an API.
public struct Change: Sendable {
    /// The kind of change: an id of ``ChangeCatalog``.
    public var id: String
    /// What it means for clients.
    public var level: ChangeLevel
    /// What changed, as one sentence without a final full stop.
    public var message: String
    /// The operation, such as `GET /books/{id}`, or the path or webhook; nil for what concerns the whole description.
    public var operation: String?
    /// Where it is in the old description, or what would hold it there; nil when that has neither.
    public var oldPlace: DescriptionNode?
    /// Where it is in the new description, or what would hold it there; nil when that has neither.
    public var newPlace: DescriptionNode?
    /// The part of the description.
    public var section: ChangeSection

    /// The place in the old file.
    public var oldRange: SourceRange? { oldPlace?.keyRange }

    /// The place in the new file.
    public var newRange: SourceRange? { newPlace?.keyRange }
}
