import SuiteModel

/// The header fields that were written last, as most requests of a run have the same.
struct HARFieldList {
    private var fields: [HeaderField] = []
    /// The member `headers`, with a comma before it.
    private var text: [UInt8] = []

    /// Appends the member `headers`, which is not an object's first.
    mutating func write(_ fields: [HeaderField], into json: inout JSONText) {
        if !text.isEmpty, fields == self.fields { return json.buffer.append(text) }
        let start = json.buffer.count
        HARFields.write(fields, into: &json)
        self.fields = fields
        text = json.buffer.array(from: start)
    }
}
