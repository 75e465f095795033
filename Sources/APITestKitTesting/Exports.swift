#if canImport(Testing)
// Re-exported so that tests need a single import for the options of a run and the values of its variables.
@_exported public import APITestKit
@_exported public import JSON
#endif
