import Testing

@testable import Reports

struct HTMLStyleTests {
    /// Returns the colors of a theme, by name.
    private static func colors(_ theme: String) -> [String: [Double]] {
        var colors: [String: [Double]] = [:]
        for line in theme.split(separator: "\n") {
            let parts = line.split(separator: ":")
            guard parts.count == 2, let start = parts[1].firstIndex(of: "#"),
                let value = UInt32(parts[1][start...].dropFirst().prefix(6), radix: 16)
            else { continue }
            let name = String(parts[0].drop { $0 == " " || $0 == "-" })
            colors[name] = [16, 8, 0].map { Double(value >> $0 & 0xFF) / 255 }
        }
        return colors
    }

    /// Returns the relative luminance of a color (WCAG 2.2). The power is approximated by a series with sufficient
    /// accuracy.
    private static func luminance(_ color: [Double]) -> Double {
        let parts = color.map { part -> Double in
            if part <= 0.04045 { return part / 12.92 }
            // x to the power of 2.4 is x² times the fifth root of x².
            let base = (part + 0.055) / 1.055
            var root = 1.0
            for _ in 0..<60 {
                let power = root * root * root * root
                root -= (power * root - base * base) / (5 * power)
            }
            return base * base * root
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private static func contrast(_ first: [Double], _ second: [Double]) -> Double {
        let (high, low) = (max(luminance(first), luminance(second)), min(luminance(first), luminance(second)))
        return (high + 0.05) / (low + 0.05)
    }

    @Test("Text has a contrast of at least 4.5:1 on every background", arguments: ["light", "dark"])
    func contrast(_ theme: String) throws {
        let colors = Self.colors(theme == "light" ? HTMLStyle.light : HTMLStyle.dark)
        let inks = [
            "text", "muted", "faint", "accent", "passed", "failed", "errored", "flaky-ink", "string", "number", "word",
            "key",
        ]
        var pairs: [(String, String)] = []
        for ink in inks {
            for ground in ["bg", "surface", "sunken", "raised", "accent-soft"] { pairs.append((ink, ground)) }
        }
        pairs += [
            ("passed", "passed-soft"), ("failed", "failed-soft"), ("text", "failed-soft"), ("errored", "errored-soft"),
            ("on-flaky", "flaky"),
        ]
        // The symbols of outcomes.
        for ground in ["passed", "flaky-ink", "failed", "errored", "skipped", "blocked"] {
            pairs.append(("surface", ground))
        }
        for (ink, ground) in pairs {
            let contrast = Self.contrast(try #require(colors[ink]), try #require(colors[ground]))
            #expect(contrast >= 4.5, "\(theme): \(ink) on \(ground)")
        }
    }
}
