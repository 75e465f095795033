import Basics
import HTTPSession
import Testing

@testable import Runner

@Testing.Suite("Locations in object stores")
struct StorageLocationTests {
    @Test(
        "A location shows no credentials",
        arguments: [
            ("s3://bucket/run-17/a.jsonl", "s3://bucket/run-17/a.jsonl", false), ("s3://bucket", "s3://bucket/", true),
            ("S3://b.c/run-17/", "s3://b.c/run-17/", true),
            ("https://ada:s3cr3t@host.test:8443/a?sig=x%2Fy#f", "https://host.test:8443/a", false),
            ("http://localhost/runs/?sig=x", "http://localhost/runs/", true),
        ])
    func parsing(_ text: String, _ shown: String, _ isDirectory: Bool) throws {
        #expect(StorageLocation.isLocation(text))
        let location = try StorageLocation(text)
        #expect("\(location)" == shown)
        #expect(location.isDirectory == isDirectory)
    }

    @Test("Other paths are files", arguments: ["report.jsonl", "s3:/a", "./https://a", "-", "ftp://host/a"])
    func files(_ path: String) {
        #expect(!StorageLocation.isLocation(path))
    }

    @Test(
        "A malformed location is an error",
        arguments: ["s3://", "s3:///key", "s3://a@b.test/key", "s3://bucket/../key", "https://", "http://a b/"])
    func malformed(_ text: String) {
        #expect(throws: StorageError.self) { try StorageLocation(text) }
    }

    @Test("A name is appended before the query")
    func appending() throws {
        let object = try StorageLocation("s3://bucket/run-17/").appending("shard-1.jsonl")
        #expect(try object == StorageLocation("s3://bucket/run-17/shard-1.jsonl"))
        let url = try StorageLocation("https://host.test/runs/?sig=x").appending("a.jsonl")
        #expect(try url == StorageLocation("https://host.test/runs/a.jsonl?sig=x"))
        #expect(url.secrets == ["sig=x"])
    }

    @Test("A prefix contains the keys that start with it")
    func contains() throws {
        let prefix = try StorageLocation("s3://bucket/run-17/")
        #expect(try prefix.contains(StorageLocation("s3://bucket/run-17/merged/all.jsonl")))
        #expect(try !prefix.contains(StorageLocation("s3://bucket/run-18/all.jsonl")))
        #expect(try !prefix.contains(StorageLocation("s3://other/run-17/all.jsonl")))
        #expect(try !StorageLocation("s3://bucket/run").contains(StorageLocation("s3://bucket/run-17")))
    }
}

@Testing.Suite("Object stores")
struct ObjectStoreTests {
    private static let credentials = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cr3t"]

    private func store(_ variables: [String: String]) throws -> ObjectStore {
        try ObjectStore(environment: Self.credentials.merging(variables) { $1 })
    }

    @Test("Amazon S3 has a host per bucket unless its certificate does not cover the name")
    func hosts() throws {
        let store = try store(["AWS_REGION": "eu-central-1", "AWS_DEFAULT_REGION": "us-east-2"])
        #expect(
            store.url(bucket: "my-bucket", key: "a b/ü+%.jsonl")
                == "https://my-bucket.s3.eu-central-1.amazonaws.com/a%20b/%C3%BC%2B%25.jsonl")
        #expect(store.url(bucket: "a.b", key: "c") == "https://s3.eu-central-1.amazonaws.com/a.b/c")
        #expect(
            try self.store(["AWS_DEFAULT_REGION": "cn-north-1"]).url(bucket: "b", key: "c")
                == "https://b.s3.cn-north-1.amazonaws.com.cn/c")
    }

    @Test("Another store has a path per bucket and needs no region")
    func endpoint() throws {
        let store = try store(["AWS_ENDPOINT_URL": "http://127.0.0.1:9000"])
        #expect(store.region == "us-east-1")
        #expect(
            store.url(bucket: "b", key: "", query: [("list-type", "2"), ("prefix", "a/b c")])
                == "http://127.0.0.1:9000/b/?list-type=2&prefix=a%2Fb%20c")
        let both = try self.store([
            "AWS_ENDPOINT_URL": "http://other.test", "AWS_ENDPOINT_URL_S3": "https://s3.test/store",
        ])
        #expect(both.url(bucket: "b", key: "k") == "https://s3.test/store/b/k")
    }

    @Test(
        "A missing or invalid variable is named",
        arguments: [
            ([:], "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
            (["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": ""], "set AWS_SECRET_ACCESS_KEY"),
            (credentials, "set AWS_REGION"),
            (credentials.merging(["AWS_REGION": "a.evil.test/"]) { $1 }, "is not a region"),
            (credentials.merging(["AWS_ENDPOINT_URL": "127.0.0.1:9000"]) { $1 }, "AWS_ENDPOINT_URL: "),
        ])
    func invalid(_ environment: [String: String], _ part: String) {
        let error = #expect(throws: StorageError.self) { try ObjectStore(environment: environment) }
        #expect(error?.message.text.contains(part) == true, "\(error?.message.text ?? "")")
    }
}
