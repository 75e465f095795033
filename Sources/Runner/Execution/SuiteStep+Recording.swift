import SuiteModel

extension SuiteStep {
    /// What has to be recorded of an exchange for the expectations that few steps have.
    var recordedExtras: ExpectationExtras? {
        guard let until = flow?.value.until else { return expectations.extras?.value }
        var extras = expectations.extras?.value
        for set in [until.expectations, until.abort].compactMap({ $0?.extras?.value }) {
            var merged = extras ?? set
            merged.certificate = merged.certificate ?? set.certificate
            merged.image = merged.image ?? set.image
            extras = merged
        }
        return extras
    }
}
