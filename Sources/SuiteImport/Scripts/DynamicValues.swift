/// The values that Postman makes up, such as `{{$guid}}`.
enum DynamicValues {
    private static let expressions: [String: String] = [
        "guid": "uuid()", "randomUUID": "uuid()", "timestamp": "int(now())", "isoTimestamp": ScriptDates.iso,
        "randomInt": "random(0, 1000)", "randomBoolean": "random(0, 1) == 1", "randomAlphaNumeric": "randomString(1)",
        "randomPassword": "randomString(15)", "randomFirstName": "fake.firstName()",
        "randomLastName": "fake.lastName()",
        "randomFullName": "fake.name()", "randomNamePrefix": "\"Ms.\"", "randomUserName": "fake.userName()",
        "randomEmail": "fake.email()", "randomExampleEmail": "fake.email()", "randomPhoneNumber": "fake.phone()",
        "randomPhoneNumberExt": "fake.phone()", "randomCity": "fake.city()", "randomCountry": "fake.country()",
        "randomStreetName": "fake.street()", "randomStreetAddress": "fake.street()",
        "randomCompanyName": "fake.company()", "randomDomainName": "fake.domain()", "randomUrl": "fake.url()",
        "randomIP": "fake.ipv4()", "randomIPV6": "fake.ipv6()", "randomWord": "fake.word()",
        "randomWords": "fake.words(3)", "randomLoremWord": "fake.word()", "randomLoremWords": "fake.words(3)",
        "randomLoremSentence": "fake.sentence()", "randomLoremSentences": "fake.paragraph()",
        "randomLoremParagraph": "fake.paragraph()", "randomLoremParagraphs": "fake.paragraph()",
        "randomLoremText": "fake.paragraph()", "randomLoremSlug": "fake.words(3).replace(\" \", \"-\")",
        "randomPhrase": "fake.sentence()", "randomNoun": "fake.word()", "randomVerb": "fake.word()",
        "randomAdjective": "fake.word()", "randomColor": "fake.word()", "randomProduct": "fake.word()",
        "randomProductName": "fake.words(3)", "randomProductAdjective": "fake.word()",
        "randomProductMaterial": "fake.word()", "randomDepartment": "fake.word()", "randomCatchPhrase": "fake.words(3)",
        "randomJobTitle": "fake.words(2)", "randomJobArea": "fake.word()", "randomJobType": "fake.word()",
        "randomCompanySuffix": "\"Inc\"", "randomDomainSuffix": "\"com\"", "randomDomainWord": "fake.word()",
        "randomHexColor": "\"#%06x\".format([random(0, 16777215)])", "randomProtocol": "\"https\"",
        "randomPrice": "\"%.2f\".format([random(0.0, 1000.0)])", "randomLatitude": "random(-90.0, 90.0)",
        "randomLongitude": "random(-180.0, 180.0)", "randomLocale": "\"en\"", "randomCountryCode": "\"AT\"",
        "randomCurrencyCode": "\"EUR\"", "randomCurrencyName": "\"Euro\"", "randomCurrencySymbol": "\"€\"",
        "randomBankAccount": "string(random(10000000, 99999999))", "randomMonth": "date.format(now(), \"MMMM\")",
        "randomWeekday": "date.format(now(), \"EEEE\")", "randomFileName": "fake.word() + \".txt\"",
        "randomFileExt": "\"txt\"", "randomMimeType": "\"text/plain\"", "randomFileType": "\"text\"",
        "randomImageUrl": "fake.url()", "randomAvatarImage": "fake.url()", "randomUserAgent": "\"Mozilla/5.0\"",
        "randomMACAddress": "\"02:00:00:%02x:%02x:%02x\".format([random(0, 255), random(0, 255), random(0, 255)])",
    ]

    private static let dates: [String: String] = [
        "randomDatePast": #"string(now() - duration(string(random(1, 8760)) + "h"))"#,
        "randomDateRecent": #"string(now() - duration(string(random(1, 1440)) + "m"))"#,
        "randomDateFuture": #"string(now() + duration(string(random(1, 8760)) + "h"))"#,
    ]

    /// Returns the expression for the name of a dynamic value; nil if it is unknown.
    static func expression(_ name: String) -> String? { dates[name] ?? expressions[name] }

    /// The expressions whose values are not strings.
    private static let scalars: Set<String> = Set(
        ["timestamp", "randomInt", "randomBoolean", "randomLatitude", "randomLongitude"].compactMap { expressions[$0] })
    private static let all = Set(expressions.values).union(dates.values)

    /// Returns the type of the value of an expression; nil if it is not that of a dynamic value.
    static func kind(_ source: String) -> ScriptVariables.Kind? {
        if scalars.contains(source) { return .scalar }
        return all.contains(source) ? .string : nil
    }
}
