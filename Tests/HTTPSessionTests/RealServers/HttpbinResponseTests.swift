import HTTPSession
import TestSupport
import Testing
import XML

extension HttpbinTests {
    // MARK: Bodies

    @Test("Compressed bodies are decoded unless decompression is disabled")
    func compression() async throws {
        try await Self.serve { session, _ in
            let gzip = try await session.get("gzip").validate().response()
            #expect(gzip.headers["Content-Encoding"] == "gzip")
            #expect(try gzip.decode(HttpbinEcho.self).gzipped == true)
            #expect(gzip.metrics.bodyBytesReceived < gzip.body.count)
            let deflate = try await session.get("deflate").decode(HttpbinEcho.self)
            #expect(deflate.deflated == true)
            let raw = try await session.get("gzip").with { $0.decompress = false }.data()
            #expect(raw.starts(with: [0x1F, 0x8B]))
        }
    }

    @Test("Image headers are decoded, and an unacceptable image type is rejected")
    func images() async throws {
        try await Self.serve { session, _ in
            let png = try await session.get("image/png").validate().serialize(with: .image)
            #expect(png == ImageInfo(format: .png, width: 100, height: 100))
            let jpeg = try await session.get("image", headers: ["Accept": "image/jpeg"]).validate()
                .serialize(with: .image)
            #expect(jpeg == ImageInfo(format: .jpeg, width: 239, height: 178))
            let unwanted = await Self.failure { () async throws(SessionError) in
                try await session.get("image/png", headers: ["Accept": "image/webp"]).validate().response()
            }
            #expect(unwanted?.reason == .unacceptableResponse)
            let none = await Self.failure { () async throws(SessionError) in
                try await session.get("json").serialize(with: .image)
            }
            #expect(none?.reason == .undecodable)
        }
    }

    @Test("An XML document is decoded", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
    func xml() async throws {
        try await Self.serve { session, _ in
            let document = try await session.get("xml").validate(.contentType(["application/xml"]))
                .serialize(with: .xml)
            #expect(document.root?.name.localName == "slideshow")
            #expect(document.root?.attribute("title") == "Sample Slide Show")
            #expect(document.root?.elements.count == 2)
        }
    }

    @Test("Text is decoded, and a response to HEAD has no body")
    func text() async throws {
        try await Self.serve { session, _ in
            let text = try await session.get("encoding/utf8").string()
            #expect(text.contains("∮ E⋅da = Q"))
            #expect(text.contains("Σὲ γνωρίζω ἀπὸ τὴν κόψη"))
            let whole = try await session.get("encoding/utf8").data()
            let head = try await session.head("encoding/utf8").validate().response()
            #expect(head.body.isEmpty)
            #expect(head.headers["Content-Length"] == "\(whole.count)")
        }
    }

    @Test("Lines and body pieces arrive as they are sent")
    func streams() async throws {
        try await Self.serve { session, _ in
            var lines: [String] = []
            for try await line in session.get("stream/20").validate().lines() { lines.append(line) }
            #expect(lines.count == 20)
            for (number, line) in lines.enumerated() { #expect(line.hasSuffix("\"id\": \(number)}")) }

            // The second byte would arrive ten seconds later.
            let dripping = try await session.get("drip", query: ["numbytes": 2, "duration": 20]).stream()
            #expect(dripping.expectedLength == 2)
            let first = try await dripping.body.next()
            #expect(first == Array("*".utf8))
            dripping.body.abandon()

            let drops = try await session.get("drip", query: ["numbytes": 5, "duration": 0.05, "code": 203]).response()
            #expect(drops.status == 203)
            #expect(drops.text == "*****")

            var alphabet: [UInt8] = []
            for try await piece in session.get("range/5000?chunk_size=777").bytes() { alphabet += piece }
            #expect(alphabet == Self.alphabet(0..<5000))
        }
    }

    private static func alphabet(_ range: Range<Int>) -> [UInt8] {
        range.map { UInt8(ascii: "a") + UInt8($0 % 26) }
    }

    @Test("Range requests return parts of a resource")
    func ranges() async throws {
        try await Self.serve { session, _ in
            for (range, bounds) in [("10-19", 10..<20), ("1000-", 1000..<1024), ("-24", 1000..<1024)] {
                let part = try await session.get("range/1024", headers: ["Range": "bytes=\(range)"]).validate()
                    .response()
                #expect(part.status == 206)
                #expect(
                    part.headers["Content-Range"] == "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/1024")
                #expect(part.body == Self.alphabet(bounds))
            }
            let beyond = try await session.get("range/1024", headers: ["Range": "bytes=2000-"]).response()
            #expect(beyond.status == 416)
            #expect(beyond.headers["Content-Range"] == "bytes */1024")
        }
    }

    @Test("A canceled download resumes from the partial file")
    func resume() async throws {
        let directory = try ScratchDirectory()
        try await Self.serve { session, _ in
            // The first half arrives immediately, the second one ten seconds later.
            let exchange = session.get("range/1024?chunk_size=512&duration=20")
            let options = DownloadOptions(resumes: true)
            let first = exchange.download(to: directory.file("letters"), options: options)
            for await progress in first.progress where progress.completed >= 512 { first.cancel() }
            let cancelled = await Self.failure { () async throws(SessionError) in try await first.file() }
            #expect(cancelled?.reason == .cancelled)
            #expect(directory.names == [".letters.partial", ".letters.partial.info"])

            let file = try await exchange.download(to: directory.file("letters"), options: options).file()
            #expect(file.resumedBytes == 512)
            #expect(file.length == 1024)
            #expect(file.response.status == 206)
            #expect(directory.contents("letters") == Self.alphabet(0..<1024))
            #expect(directory.names == ["letters"])
        }
    }

    // MARK: Time limits, failures and the cache

    @Test("Each timeout is reported by name")
    func timeouts() async throws {
        try await Self.serve { session, _ in
            let slow = try await session.get("delay/0.2").validate().response()
            #expect(slow.metrics.firstByte >= .milliseconds(150))
            #expect(slow.metrics.total >= .milliseconds(200))

            let limit = Duration.milliseconds(300)
            for (url, timeouts, name) in [
                ("delay/10", Timeouts(firstByte: limit), SessionError.TimeLimit.firstByte),
                ("delay/10", Timeouts(total: limit), .total),
                ("drip?numbytes=2&duration=20", Timeouts(idle: limit), .idle),
            ] {
                let error = await Self.failure { () async throws(SessionError) in
                    try await session.get(url).with { $0.timeouts = timeouts }.response()
                }
                #expect(error?.reason == .timedOut(name, limit))
                if name == .idle {
                    #expect(error?.head?.status == 200)
                    #expect(error?.partialBody == Array("*".utf8))
                }
            }
        }
    }

    @Test("An unavailable server is retried if the method is idempotent")
    func retries() async throws {
        let clock = RecordingClock()
        try await Self.serve({
            $0.clock = clock.clock
            $0.retriers = [.retryPolicy]

        }) { session, _ in
            let response = try await session.get("status/503").response()
            #expect(response.status == 503)
            #expect(response.attempts.count == 2)
            #expect(clock.sleeps == [.milliseconds(500), .seconds(1)])
            let error = await Self.failure { () async throws(SessionError) in
                try await session.delete("status/504").validate().response()
            }
            #expect(error?.reason == .unacceptableResponse)
            #expect(error?.response?.status == 504)
            #expect(error?.attempts.count == 2)
            for exchange in [session.post("status/503"), session.get("status/418"), session.get("status/200")] {
                let once = try await exchange.response()
                #expect(once.attempts.isEmpty)
            }
            #expect(clock.sleeps.count == 4)
        }
    }

    @Test("Conditional requests are evaluated against the entity tag")
    func conditions() async throws {
        try await Self.serve { session, _ in
            for (name, value, status) in [
                ("If-None-Match", "\"abc\"", 304), ("If-None-Match", "*", 304), ("If-None-Match", "\"x\"", 200),
                ("If-Match", "\"x\"", 412), ("If-Match", "\"x\", \"abc\"", 200),
            ] {
                let response = try await session.get("etag/abc", headers: [name: value]).response()
                #expect(response.status == status, "\(name): \(value)")
            }
        }
    }

    @Test("The cache revalidates stale responses and reuses fresh ones without a request")
    func cache() async throws {
        let cache = ResponseCache()
        try await Self.serve({ $0.cache = cache }) { session, _ in
            for path in ["etag/abc", "cache"] {
                let first = try await session.get(path).validate().response()
                #expect(!first.isFromCache)
                let second = try await session.get(path).validate().response()
                #expect(second.isFromCache)
                #expect(second.remoteAddress != nil)
                #expect(second.status == 200)
                #expect(second.body == first.body)
            }
            let fresh = try await session.get("cache/3600").response()
            #expect(!fresh.isFromCache)
            let kept = try await session.get("cache/3600").response()
            #expect(kept.isFromCache)
            #expect(kept.remoteAddress == nil)
            #expect(kept.body == fresh.body)
            let anew = try await session.get("cache/3600", headers: ["Cache-Control": "no-cache"]).response()
            #expect(!anew.isFromCache)
            #expect(cache.count == 3)
        }
    }
}
