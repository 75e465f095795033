import CLibXML2

extension XMLDocument {
    /// Evaluates an XPath 1.0 expression.
    /// - Parameters:
    ///   - expression: The expression's text.
    ///   - namespaces: The names of namespaces by the prefixes that the expression uses for them.
    ///   - node: The context node, of this document; nil for the document itself.
    ///   - operations: How many steps the evaluation may take; effective from libxml2 2.9.11 on.
    /// - Throws: ``XMLError`` if the expression is invalid, names what is not known, or takes too many steps.
    public func xpath(
        _ expression: String, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = 10_000_000
    ) throws(XMLError) -> XPathValue {
        try evaluate(XPathExpression(expression), namespaces: namespaces, from: node, operations: operations)
    }

    /// Evaluates an XPath 1.0 expression that has been checked.
    /// - Parameters:
    ///   - expression: The expression.
    ///   - namespaces: The names of namespaces by the prefixes that the expression uses for them.
    ///   - node: The context node, of this document; nil for the document itself.
    ///   - operations: How many steps the evaluation may take; effective from libxml2 2.9.11 on.
    /// - Throws: ``XMLError`` if the expression names what is not known, or takes too many steps.
    public func evaluate(
        _ expression: XPathExpression, namespaces: [String: String] = [:], from node: XPathNode? = nil,
        operations: Int = 10_000_000
    ) throws(XMLError) -> XPathValue {
        if let node, node.document !== self {
            throw XMLError(kind: .xpath, message: "the context node belongs to another document")
        }
        for (prefix, uri) in namespaces where prefix.isEmpty || (prefix + uri).utf8.contains(0) {
            throw XMLError(kind: .xpath, message: "the namespace prefix '\(prefix)' is not valid")
        }
        var strings: [CChar] = []
        var offsets: [Int] = []
        let used = expression.prefixes.isEmpty ? [:] : namespaces
        for (prefix, uri) in used {
            for text in [prefix, uri] {
                offsets.append(strings.count)
                strings += text.utf8CString
            }
        }
        return try withPointer { document throws(XMLError) in
            var error = clx_error()
            let result = strings.withUnsafeBufferPointer { strings in
                let pointers = offsets.map { offset in strings.baseAddress.map { $0 + offset } }
                return clx_xpath_evaluate(
                    document, node?.pointer ?? clx_document_node(document), expression.text, pointers,
                    used.count, UInt(max(1, operations)), &error)
            }
            guard let result else { throw ErrorText.xpath(error) }
            defer { clx_result_free(result) }
            return self.value(result)
        }
    }

    private func value(_ result: OpaquePointer) -> XPathValue {
        switch Int(clx_result_type(result)) {
        case CLX_BOOLEAN_VALUE: return .boolean(clx_result_boolean(result))
        case CLX_NUMBER_VALUE:
            let number = clx_result_number(result)
            // XPath knows no sign of what is not a number.
            return .number(number.isNaN ? .nan : number)
        case CLX_STRING_VALUE: return .string(clx_result_string(result).map { String(cString: $0) } ?? "")
        default:
            return .nodes(
                (0..<clx_result_count(result)).compactMap { index in
                    clx_result_node(result, index).flatMap { XPathNode($0, in: self) }
                })
        }
    }
}
