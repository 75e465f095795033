import Basics
import CEL
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads `load`: the profiles of a suite.
struct LoadReader {
    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the profiles.
    func profiles(_ node: YAMLNode) -> [LoadProfile] {
        var profiles: [LoadProfile] = []
        context.readMembers(node, .map("loadProfile")) { name, key, value in
            profiles.append(profile(value, name: name, key))
        }
        return profiles
    }

    private func profile(_ node: YAMLNode, name: String, _ key: YAMLNode) -> LoadProfile {
        var profile = LoadProfile(name: name, range: key.range)
        var keys: [LoadProfileKey: YAMLNode] = [:]
        var stages: YAMLNode?
        MapReader(context, LoadProfileKey.schema).read(node) { key, keyNode, value in
            keys[key] = keyNode
            switch key {
            case .tests: profile.tests = tags(value)
            case .rate: profile.model = rate(value).map(LoadProfile.Model.rate)
            case .users:
                profile.model = users(value, "users", from: 1).map(LoadProfile.Model.users)
            case .think: profile.think = context.duration(value) ?? 0
            case .for: profile.duration = positive(value, "for")
            case .stages: stages = value
            case .warmup: profile.warmup = context.duration(value) ?? 0
            case .thresholds: profile.thresholds = expressions(value)
            case .abort: profile.abort = expressions(value).first
            }
        }
        for (one, other) in [(LoadProfileKey.rate, LoadProfileKey.users), (.stages, .for)] {
            guard let first = keys[one], let second = keys[other] else { continue }
            context.report(
                "conflicting-keys", "\"\(one.rawValue)\" and \"\(other.rawValue)\" cannot be used together",
                second.range, related: [Diagnostic.Related(message: "the other key is here", range: first.range)])
        }
        if let think = keys[.think], keys[.rate] != nil {
            context.report(
                "conflicting-keys", "\"think\" has no effect with \"rate\"", think.range,
                suggestion: "remove \"think\", or use \"users\" instead of \"rate\"")
        }
        if let stages { profile.stages = self.stages(stages, of: profile.model) }
        if let total = profile.totalDuration, total > 0, profile.warmup >= total, let warmup = keys[.warmup] {
            context.report(
                "invalid-duration", "the warm-up must be shorter than the load", warmup.range,
                suggestion: "the load takes \(total / 1_000_000_000)s")
        }
        return profile
    }

    /// Returns the condition on tags in a string; reports an error if it is invalid.
    private func tags(_ node: YAMLNode) -> TagExpression? {
        guard let text = node.scalar?.text else { return nil }
        do throws(TagExpressionError) {
            return try TagExpression(parsing: text)
        } catch {
            context.report(
                "invalid-tag-expression", error.message,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)),
                suggestion: error.suggestion)
            return nil
        }
    }

    private func stages(_ node: YAMLNode, of model: LoadProfile.Model?) -> [LoadProfile.Stage] {
        (node.sequence.map(Array.init) ?? []).compactMap { element in
            var stage = LoadProfile.Stage(duration: 0)
            MapReader(context, LoadStageKey.schema).read(element) { key, _, value in
                switch key {
                case .for: stage.duration = positive(value, "for") ?? 0
                case .to: stage.target = target(value, of: model)
                }
            }
            return stage.duration > 0 ? stage : nil
        }
    }

    /// Returns the level at the end of a stage: a rate or a number of users.
    private func target(_ node: YAMLNode, of model: LoadProfile.Model?) -> Double? {
        switch model {
        case .users, nil: users(node, "to", from: 0).map(Double.init)
        case .rate: rate(node)
        }
    }

    private func users(_ node: YAMLNode, _ name: String, from minimum: Int) -> Int? {
        if let count = node.scalar?.value.numberValue?.int64, count >= minimum, count <= LoadProfile.maximumUsers {
            return Int(count)
        }
        context.report(
            "invalid-count", "\"\(name)\" must be an integer from \(minimum) to \(LoadProfile.maximumUsers)", node.range
        )
        return nil
    }

    private func rate(_ node: YAMLNode) -> Double? {
        guard let text = node.scalar?.text else { return nil }
        do throws(QuantityReader.Problem) {
            return try RateText.perSecond(text)
        } catch {
            context.report("invalid-rate", error.message, node.range, suggestion: error.suggestion)
            return nil
        }
    }

    private func positive(_ node: YAMLNode, _ name: String) -> Int64? {
        guard let duration = context.duration(node) else { return nil }
        if duration > 0 { return duration }
        context.report("invalid-duration", "\"\(name)\" must be greater than 0", node.range)
        return nil
    }

    /// Returns the expressions over the figures of the load.
    private func expressions(_ node: YAMLNode) -> [EmbeddedExpression] {
        let templates = TemplateReader(context)
        let count = context.uses.count
        // The names are those of the figures, which the scopes of the suite do not contain.
        defer { context.uses.removeLast(context.uses.count - count) }
        return (node.sequence.map(Array.init) ?? [node]).compactMap {
            templates.bareExpression($0, what: "a threshold")
        }
    }
}

/// Parses rates such as `200/s` and `30/m`.
enum RateText {
    /// The units, with their lengths in seconds.
    private static let units: [(name: String, seconds: Double)] = [("s", 1), ("m", 60), ("h", 3_600)]

    /// Returns a rate per second.
    ///
    /// - Throws: ``QuantityReader/Problem`` if the text is not a rate from 0 to a million per second.
    static func perSecond(_ text: String) throws(QuantityReader.Problem) -> Double {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let number = parts.first.map(String.init) ?? ""
        guard parts.count == 2, let unit = units.first(where: { $0.name == parts[1] }),
            number.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || ($0 >= 0x30 && $0 <= 0x39) }),
            let count = Double(number)
        else {
            let isNumber = Double(text).map { $0 >= 0 && $0.isFinite } ?? false
            throw QuantityReader.Problem(
                message: isNumber ? "a rate needs a unit" : "\"\(text)\" is not a rate",
                suggestion: isNumber ? "write \"\(text)/s\"" : "for example, write 200/s or 30/m")
        }
        guard count / unit.seconds <= 1_000_000 else {
            throw QuantityReader.Problem(message: "\"\(text)\" is too large for a rate")
        }
        return count / unit.seconds
    }
}

/// Parses rates on the command line, in the same notation as in suites.
public enum RateOption {
    /// Parses a rate such as `200/s`, which must be greater than 0, and returns the number per second.
    ///
    /// - Throws: ``DurationOption/Failure`` if the text is not a rate.
    public static func perSecond(_ text: String) throws(DurationOption.Failure) -> Double {
        let rate: Double
        do throws(QuantityReader.Problem) {
            rate = try RateText.perSecond(text)
        } catch {
            throw DurationOption.Failure(message: error.message + (error.suggestion.map { "; \($0)" } ?? ""))
        }
        guard rate > 0 else { throw DurationOption.Failure(message: "must be greater than 0") }
        return rate
    }
}
