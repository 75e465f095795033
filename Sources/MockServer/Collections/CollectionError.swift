/// Why a collection refuses a change.
enum CollectionError: Error {
    /// There is no item with the identifier.
    case notFound
    /// An item has the identifier already.
    case identifierTaken(String)
    /// The identifier in the body is of another kind than the collection's.
    case badIdentifier(String)
    /// The body names another identifier than the URL.
    case identifierDiffers(String)
    /// The precondition of the request does not hold.
    case preconditionFailed
}
