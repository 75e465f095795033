import Basics
import Testing

@Suite("Media types")
struct MediaTypesTests {
    @Test("The file extension determines the media type, and text types are UTF-8")
    func files() {
        let cases = [
            ("a.json", "application/json"), ("b/c.PNG", "image/png"), ("a.csv", "text/csv; charset=utf-8"),
            ("a.svg", "image/svg+xml"), ("a.tar.gz", "application/gzip"), ("a.b/c", "application/octet-stream"),
            ("a", "application/octet-stream"), ("a.", "application/octet-stream"), ("", "application/octet-stream"),
        ]
        for (name, type) in cases { #expect(MediaTypes.contentType(ofFile: name) == type) }
        #expect(MediaTypes.type(ofFile: "a.txt") == "text/plain")
    }

    @Test("JSON and XML media types are recognized")
    func formats() {
        for type in ["application/json", "text/json", "application/problem+json"] { #expect(MediaTypes.isJSON(type)) }
        for type in ["application/xml", "text/xml", "image/svg+xml"] { #expect(MediaTypes.isXML(type)) }
        for type in ["text/html", "application/x-ndjson", "json", ""] {
            #expect(!MediaTypes.isJSON(type) && !MediaTypes.isXML(type))
        }
    }
}
