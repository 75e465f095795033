import Basics
import Testing

/// Tests of RFC 3986, section 5.4, and of additional requirements for schema identifiers.
struct URIReferenceTests {
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("HTTP://EXAMPLE.com/A", "http://example.com/A"),
    ])
    func resolution(_ reference: String, _ expected: String) {
        let base = URIReference("http://a/b/c/d;p?q")
        #expect(URIReference(reference).resolved(against: base).withoutFragment == expected)
    }

    @Test func basesOfOtherKinds() {
        #expect(URIReference("#a").resolved(against: URIReference("urn:x:y")).withoutFragment == "urn:x:y")
        #expect(URIReference("b.json").resolved(against: URIReference("")).withoutFragment == "b.json")
        #expect(URIReference("b.json").resolved(against: URIReference("dir/a.json")).withoutFragment == "dir/b.json")
        #expect(URIReference("b").resolved(against: URIReference("http://host")).withoutFragment == "http://host/b")
        #expect(URIReference("b").resolved(against: URIReference("file:///d/a")).withoutFragment == "file:///d/b")
        #expect(URIReference("//U@H/p").resolved(against: URIReference("http://a")).withoutFragment == "http://U@h/p")
    }

    @Test(arguments: ["http://h:1/a?b=c#d", "//h", "?", "#", "a/b", "urn:x:y#z", "http://\u{301}h/"])
    func theDescriptionIsTheText(_ text: String) {
        #expect(URIReference(text).description == text)
    }

    @Test func fragments() {
        #expect(URIReference("a#%C3%A9%2Fx").decodedFragment == "\u{E9}/x")
        #expect(URIReference("a#%FF").decodedFragment == "%FF")
        #expect(URIReference("a#%4").decodedFragment == "%4")
        #expect(URIReference("a").decodedFragment == "")
    }
}
