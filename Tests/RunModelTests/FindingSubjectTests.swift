import RunModel
import Testing

@Suite("Subjects of findings")
struct FindingSubjectTests {
    @Test(
        "A subject round-trips through the text in reports",
        arguments: [
            ("status", .status), ("body", .body), ("json $.title", .json("$.title")), ("json", .json(nil)),
            ("json $['a b']", .json("$['a b']")), ("schema", .schema(nil)), ("schema $[*]", .schema("$[*]")),
            ("assert", .assert), ("capture id", .capture("id")), ("capture", .other("capture")),
            ("contract", .contract(nil)), ("contract response-body", .contract("response-body")),
            ("expression", .expression), ("serve", .serve), ("timeout", .timeout), ("", .other("")), (" ", .other(" ")),
            ("status ", .other("status ")), ("json ", .json("")), ("first byte", .other("first byte")),
            ("header Location", .other("header Location")), ("jsonx", .other("jsonx")), ("é $", .other("é $")),
        ] as [(String, Finding.Subject)])
    func texts(_ text: String, _ subject: Finding.Subject) {
        #expect(Finding.Subject(text) == subject)
        #expect(subject.description == text)
    }

    @Test("Only subjects in the body are about its content")
    func content() {
        let content: [Finding.Subject] = [.body, .json("$"), .schema(nil), .assert]
        for subject in content { #expect(subject.isContent) }
        let others: [Finding.Subject] = [
            .status, .capture("json"), .contract(nil), .expression, .serve, .timeout, .other("size"),
        ]
        for subject in others { #expect(!subject.isContent) }
    }
}
