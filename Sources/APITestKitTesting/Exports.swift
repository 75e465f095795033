#if canImport(Testing)
// One import is enough for those who write tests: the options of a run, and the values that its variables may have.
@_exported public import APITestKit
@_exported public import JSON
#endif
