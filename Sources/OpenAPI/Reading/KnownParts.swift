/// What was read where references lead to, so that each part is read once and told wrong once; nil for one with a mistake.
struct KnownParts {
    var parameters: [DescriptionNode: Parameter?] = [:]
    var headers: [DescriptionNode: Parameter?] = [:]
    var requestBodies: [DescriptionNode: RequestBody?] = [:]
    var responses: [DescriptionNode: Response?] = [:]
    var links: [DescriptionNode: Link?] = [:]
    var mediaTypes: [DescriptionNode: MediaType?] = [:]
    /// A callback that is being read has no operations: it is referred to by itself.
    var callbacks: [DescriptionNode: [PathItem]] = [:]
}
