/// The revision that a run tests, and the CI job that it is part of.
public struct RunOrigin: Sendable, Hashable {
    /// A name with the page that shows it.
    public struct Link: Sendable, Hashable {
        /// The name: a commit's hash, a branch, a job.
        public var name: String
        /// The page's URL, `http` or `https` and without credentials; nil when it is not known.
        public var url: String?

        /// Creates a link.
        public init(name: String, url: String? = nil) {
            self.name = name
            self.url = url
        }

        /// The name, of a commit's hash the first 12 digits.
        public var shortName: String {
            let isHash = name.utf8.count >= 40 && name.allSatisfy(\.isHexDigit)
            return isHash ? String(name.prefix(12)) : name
        }
    }

    /// The revision of the system under test.
    public var revision: Link?
    /// The branch, or the tag.
    public var branch: Link?
    /// The job or build.
    public var job: Link?
    /// The name of the CI system.
    public var system: String?
    /// The number of the build, as the system counts them.
    public var build: Int64?

    /// Whether nothing is known.
    public var isEmpty: Bool { self == RunOrigin() }

    /// Creates an origin.
    public init(
        revision: Link? = nil, branch: Link? = nil, job: Link? = nil, system: String? = nil, build: Int64? = nil
    ) {
        self.revision = revision
        self.branch = branch
        self.job = job
        self.system = system
        self.build = build
    }

    /// The revision, the branch and the job, as far as they are known, each with its title.
    public var links: [(title: String, link: Link)] {
        [("Commit", revision), ("Branch", branch), ("Job", job)].compactMap { title, link in
            link.map { (title, $0) }
        }
    }

    /// The part that is the same in other origins: in those of the shards of a run, for example.
    public func common(with others: some Sequence<RunOrigin>) -> RunOrigin {
        var common = self
        for other in others {
            if common.revision != other.revision { common.revision = nil }
            if common.branch != other.branch { common.branch = nil }
            if common.job != other.job { common.job = nil }
            if common.system != other.system { common.system = nil }
            if common.build != other.build { common.build = nil }
        }
        return common
    }
}
