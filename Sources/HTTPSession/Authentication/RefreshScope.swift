/// Marks requests that are made to obtain a credential, so that they do not wait for that credential.
enum RefreshScope {
    /// The interceptors that the current task obtains a credential for.
    @TaskLocal static var interceptors: Set<ObjectIdentifier> = []
}
