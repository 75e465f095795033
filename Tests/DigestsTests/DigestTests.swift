import CDigests
import Digests
import Testing

/// Tests with published examples: RFC 1321, appendix A.5; NIST's examples for FIPS 180-4; RFC 2202 and RFC 4231.
@Suite struct DigestTests {
    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func hash<Function: HashFunction>(_ function: Function.Type, _ text: String) -> String {
        hexadecimal(Function.hash(Array(text.utf8)))
    }

    private static let million = String(repeating: "a", count: 1_000_000)
    private static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func md5(_ text: String, _ expected: String) { #expect(hash(MD5.self, text) == expected) }

    @Test(arguments: [
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ])
    func sha1(_ text: String, _ expected: String) { #expect(hash(SHA1.self, text) == expected) }

    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func sha256(_ text: String, _ expected: String) { #expect(hash(SHA256.self, text) == expected) }

    @Test(arguments: [
        ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu", "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        ),
    ])
    func sha512Over256(_ text: String, _ expected: String) { #expect(hash(SHA512Over256.self, text) == expected) }

    @Test(arguments: [
        (
            "abc", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        ("", "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"),
        (
            million, "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985"
        ),
    ])
    func sha384(_ text: String, _ expected: String) { #expect(hash(SHA384.self, text) == expected) }

    @Test(arguments: [
        (
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            million,
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        ),
    ])
    func sha512(_ text: String, _ expected: String) { #expect(hash(SHA512.self, text) == expected) }

    /// RFC 4231, test case 2, for the longer functions.
    @Test func longAuthenticationCodes() {
        let question = Array("what do ya want for nothing?".utf8)
        let key = Array("Jefe".utf8)
        #expect(
            hexadecimal(HMAC<SHA384>.authenticationCode(for: question, key: key))
                == "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649")
        #expect(
            hexadecimal(HMAC<SHA512>.authenticationCode(for: question, key: key))
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    }

    /// RFC 4231, test cases 1 to 4, 6 and 7, and RFC 2202, test case 2 of both functions.
    @Test func authenticationCodes() {
        func code<Function: HashFunction>(_: Function.Type, _ message: [UInt8], _ key: [UInt8]) -> String {
            hexadecimal(HMAC<Function>.authenticationCode(for: message, key: key))
        }
        let long = [UInt8](repeating: 0xAA, count: 131)
        let question = Array("what do ya want for nothing?".utf8)
        #expect(
            code(SHA256.self, Array("Hi There".utf8), [UInt8](repeating: 0x0B, count: 20))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code(SHA256.self, question, Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            code(SHA256.self, [UInt8](repeating: 0xDD, count: 50), [UInt8](repeating: 0xAA, count: 20))
                == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        #expect(
            code(SHA256.self, [UInt8](repeating: 0xCD, count: 50), Array(1...25))
                == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
        #expect(
            code(SHA256.self, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8), long)
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        let both =
            "This is a test using a larger than block-size key and a larger than block-size data. "
            + "The key needs to be hashed before being used by the HMAC algorithm."
        #expect(
            code(SHA256.self, Array(both.utf8), long)
                == "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")
        #expect(code(MD5.self, question, Array("Jefe".utf8)) == "750c783e6ab0b503eaa86e310a5db738")
        #expect(code(SHA1.self, question, Array("Jefe".utf8)) == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
    }

    /// The hash does not depend on the division of the input into chunks, for any length.
    @Test func pieces() {
        func check<Function: HashFunction>(_: Function.Type) {
            for count in Array(0...260) + [1_000, 4_096] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
                let expected = Function.hash(bytes)
                for size in [1, 3, 63, 64, 65, 128, 129] {
                    var function = Function()
                    for start in stride(from: 0, to: count, by: size) {
                        function.update(Array(bytes[start..<min(count, start + size)]))
                        // The hash of the input so far is available at any time.
                        if start == size { _ = function.finalize() }
                    }
                    #expect(function.finalize() == expected, "\(Function.self), \(count) bytes by \(size)")
                }
            }
        }
        check(MD5.self)
        check(SHA1.self)
        check(SHA256.self)
        check(SHA512Over256.self)
    }

    /// Both implementations of SHA-256 agree on any blocks, regardless of the one that the machine uses.
    @Test func thePortableWay() {
        var generator = SystemRandomNumberGenerator()
        for count in [1, 2, 3, 17] {
            for offset in 0..<4 {
                let bytes = (0..<64 * count + offset).map { _ in UInt8.random(in: 0...255, using: &generator) }
                var (first, second) = ([UInt32](1...8), [UInt32](1...8))
                bytes.withUnsafeBytes { buffer in
                    guard let base = buffer.baseAddress else { return }
                    cdg_sha256_compress(&first, base + offset, count)
                    cdg_sha256_compress_portable(&second, base + offset, count)
                }
                #expect(first == second)
            }
        }
    }
}
