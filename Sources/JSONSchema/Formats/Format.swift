import Basics

/// A format of the specification (2020-12 Validation, section 7.3). All dialects know every format except `byte`.
enum Format: String, CaseIterable, Sendable {
    case dateTime = "date-time"
    case date, time, duration
    case email
    case idnEmail = "idn-email"
    case hostname
    /// The `hostname` of drafts before 7, which cite only RFC 1034. The raw value is not a format name in schemas.
    case plainHostname = "hostname of RFC 1034"
    case idnHostname = "idn-hostname"
    case ipv4, ipv6
    case uri
    case uriReference = "uri-reference"
    case iri
    case iriReference = "iri-reference"
    case uuid
    case uriTemplate = "uri-template"
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"
    case regex
    /// Base64 (RFC 4648, section 4), a format of OpenAPI only.
    case byte

    /// Returns whether a string has the format, in time linear in its length.
    func holds(for text: String) -> Bool {
        if let result = text.utf8.withContiguousStorageIfAvailable({ holds(for: $0) }) { return result }
        var copy = text
        return copy.withUTF8 { holds(for: $0) }
    }

    private func holds(for bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .dateTime: DateFormats.isDateTime(bytes)
        case .date: DateFormats.isDate(bytes)
        case .time: DateFormats.isTime(bytes)
        case .duration: DurationFormat.isDuration(bytes)
        case .email: EmailFormat.isMailbox(bytes, isInternational: false)
        case .idnEmail: EmailFormat.isMailbox(bytes, isInternational: true)
        case .hostname: HostnameFormat.isHostname(bytes)
        case .plainHostname: HostnameFormat.isHostname(bytes, checksEncodings: false)
        case .idnHostname: HostnameFormat.isInternationalHostname(String(decoding: bytes, as: UTF8.self))
        case .ipv4: AddressFormats.isIPv4(bytes)
        case .ipv6: AddressFormats.isIPv6(bytes)
        case .uri: URIFormats.isReference(bytes, needsScheme: true, isInternational: false)
        case .uriReference: URIFormats.isReference(bytes, needsScheme: false, isInternational: false)
        case .iri: URIFormats.isReference(bytes, needsScheme: true, isInternational: true)
        case .iriReference: URIFormats.isReference(bytes, needsScheme: false, isInternational: true)
        case .uuid: TokenFormats.isUUID(bytes)
        case .uriTemplate: URITemplateFormat.isTemplate(bytes)
        case .jsonPointer: TokenFormats.isJSONPointer(bytes)
        case .relativeJSONPointer: TokenFormats.isRelativeJSONPointer(bytes)
        case .regex: RegexFormat.isPattern(String(decoding: bytes, as: UTF8.self))
        case .byte: Base64.decode(bytes) != nil
        }
    }

    /// A noun phrase for messages that describes a string in the format.
    var phrase: String {
        switch self {
        case .dateTime: "a date-time such as 2026-11-21T16:30:00Z"
        case .date: "a date such as 2026-11-21"
        case .time: "a time with an offset, such as 16:30:00Z"
        case .duration: "a duration such as P1DT12H"
        case .email, .idnEmail: "an email address"
        case .hostname, .plainHostname, .idnHostname: "a hostname"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        case .uri: "a URI with a scheme"
        case .uriReference: "a URI reference"
        case .iri: "an IRI with a scheme"
        case .iriReference: "an IRI reference"
        case .uuid: "a UUID"
        case .uriTemplate: "a URI template"
        case .jsonPointer: "a JSON Pointer"
        case .relativeJSONPointer: "a relative JSON Pointer"
        case .regex: "a regular expression"
        case .byte: "base64"
        }
    }
}
