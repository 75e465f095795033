import CLibXML2

/// libxml2's document, which is released with this.
///
/// Sendable although it is a pointer: it cannot be copied, so that it has one owner, which keeps it behind a lock.
struct DocumentHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { clx_document_free(pointer) }
}
