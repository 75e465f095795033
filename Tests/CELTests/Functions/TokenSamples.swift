/// Keys and tokens that OpenSSL has created. They protect nothing.
enum TokenSamples {
    static let rsaPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCrIB5r1fEMdkX1
        FEdK6X1hKwI5TAiDcEHvZAyvAGYKq4yZQv5D16CKA3aYbrWJdLJ8SVCus4jIeyXy
        vtyZkyiUYkB98akqHB6R7wBWQ9CE0dHY1b8wGzS2ZpT0JPRWzI0mevoFFlgnOp6n
        tg1rVwykYKXI8RaxLsA0o4hmqzQ28DImZjOfvOV/W468/Lgsn2AKpi9tHKdHDhfw
        qEe5jQgobBaHFrwWdWT0gk6QNR7ZtDIvJy3QmrA4xWIEHkJzU9cgx5fmbqghxgoE
        R+OFVepR2tvi07CLTGchbrs0zl3Dxmh+TRTYqRNELKB8wyFcFlyoMdrN0P7Dc8xC
        wmJej6n3AgMBAAECggEAE0MlSXwmiwGRNFoZAEyyCUr/EBYH60uqkFjRuK0xz0eq
        JuJMnrRZ5M8o/VWQ560UHjtecpvQ7Mg36FAlor/W1IUOv16BbTUHF+QwRIWTpi+8
        EE1XHQIi99kqMSUrv818ofU7yXDPcXL+wuASOJ/u013xq2G/7SfXCNXTl8LzuK83
        jlM2E0n3HkIVJaeuPrAk47pZRp5IOugbXNlKv03az0ZGWlSg/oRWYnOS0mxYSLPg
        oj/a9xnFXjgZqUjglybqlUITdRcMRUN3b1ERuJs+w8kRHk8iDGxY9UxDuHq0uK1l
        1rcpc61jzzIDR/It9pv/ikEHKO0qYi2IiH+Qz+rQQQKBgQDmoWpjk6ViLZomYlJh
        W2xgKoyqKwL7NB2wDZ5N7N0P8i0pdaWzmBhjkKRFngIHccFogLlkeC4XX02wSbAm
        l48IQJIJtm3MxUbqarr0SVleq/3ZHvzrGnVA37qOhZgyjpSN4LgGip3pfhWZrtCZ
        tIn4WPkbtqV6yVx9Trj4uBTjVwKBgQC98wh/+Kg1RAqC+uSBAKie69IjMLHqxlbN
        q7NWeBi7emYDkarwt6VCZScb2+oxFY8lONcIFsa83vgQEiOkRdYrJMIlGkv5pU+6
        +F/1dRK+AAaxGNnqsSFdYF9/+qy0lN2CVB38Z2qlvs8AoP3heMVVWA0TjtAQVh/1
        l+X4gOjqYQKBgQCxybMy6gmvAop3lon9BTYpeAOR1rBoqAdOxWDIn5TWixFniYrg
        RJpgfos0I5da18WJ4tmH6uFVISHJiTSiu2kGqogptpk0JswBP5+5W6XqRlnc+3dr
        Ya0MAqxU3AW0y5cXPCmA2XDcI1dRbqLeKn/FlAkM5SLx4bJL4tjS20025wKBgH0r
        0VcbUiU/wDmOAdRszbFkL2bXKPdQWlVQJ2781zd8Mgt6C45zRmjZZYs7QTm1Pk5G
        BZWkBLTjrc5RVcFj7/0gTPvMN3K8mCzajcmfq4kfVUmQ2dGJhjYVUvlwBC0/yDSh
        H917fNDaS2jbrlHNlyRlUMCppLyPNKJPxdEbieEhAoGBAMG8RHD2KJqNt/k5LCwv
        qhG0gwUYNSh/I1PLOBg8lb9WhaE39qb3Sto8WKT22p4mhf8ItjD1VsnxoojeeaBh
        IzUX2uKDzil1D2Kd6aorlTgZ5vw5/2lVKQWh/xWroyyzYUSaI50sHTgIKdzq04/O
        A7eQlNFWzQIdzjrIDzHo0G4r
        -----END PRIVATE KEY-----
        """
    static let rsaPublic = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqyAea9XxDHZF9RRHSul9
        YSsCOUwIg3BB72QMrwBmCquMmUL+Q9egigN2mG61iXSyfElQrrOIyHsl8r7cmZMo
        lGJAffGpKhweke8AVkPQhNHR2NW/MBs0tmaU9CT0VsyNJnr6BRZYJzqep7YNa1cM
        pGClyPEWsS7ANKOIZqs0NvAyJmYzn7zlf1uOvPy4LJ9gCqYvbRynRw4X8KhHuY0I
        KGwWhxa8FnVk9IJOkDUe2bQyLyct0JqwOMViBB5Cc1PXIMeX5m6oIcYKBEfjhVXq
        Udrb4tOwi0xnIW67NM5dw8Zofk0U2KkTRCygfMMhXBZcqDHazdD+w3PMQsJiXo+p
        9wIDAQAB
        -----END PUBLIC KEY-----
        """
    static let p256Private = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoaxr/HW4WzdLrWy5
        HVRwlaX17fLqCu626No2QH7IF8ShRANCAARGv3TS/uf+gj2TrsophabOd+Z4y4sU
        N11FWN+FXM0VubyqnMheCH1vlO/fRRY9s/qX4bWWW0tjTJZ3V3gfRdup
        -----END PRIVATE KEY-----
        """
    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAERr900v7n/oI9k67KKYWmznfmeMuL
        FDddRVjfhVzNFbm8qpzIXgh9b5Tv30UWPbP6l+G1lltLY0yWd1d4H0XbqQ==
        -----END PUBLIC KEY-----
        """
    static let p256Certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBdDCCARugAwIBAgIUS3JVTiVRnKg2GcPvGMFVilfWbigwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjgwMjMyNDZaGA8yMTI2MTEwNDAyMzI0
        NlowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEa/
        dNL+5/6CPZOuyimFps535njLixQ3XUVY34VczRW5vKqcyF4IfW+U799FFj2z+pfh
        tZZbS2NMlndXeB9F26mjUzBRMB0GA1UdDgQWBBRucQshP12SaY784EQb4PE1cVjv
        jTAfBgNVHSMEGDAWgBRucQshP12SaY784EQb4PE1cVjvjTAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0cAMEQCIA+zIX7kKwlrCKpGk1hCoEaOtUAuH5Au9u4S
        A5cBkIM1AiAgswivD/dF4LFghO9BdF4gIjTKhvFVtd2Ae2uaEW4Auw==
        -----END CERTIFICATE-----
        """
    static let p384Private = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCe88TXxPHN0ZelOtgd
        mMtXkBCKjvUD1RX+Yat3kCd86pDiZVSNfbqhXFhVYJ7z3behZANiAARjDj2LgsPl
        bf5sI3ZW5BrYnLUjzcGr5I4pcuyPNI0wEfdpm0tiYp2VSn2WAhH7pj32XVZxAUK3
        7rtbS/6v1P3a2dRgfyfKdumm9xfuIj2/msF+AK7N1BoLYToiWhw7/s4=
        -----END PRIVATE KEY-----
        """
    static let p384Public = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEYw49i4LD5W3+bCN2VuQa2Jy1I83Bq+SO
        KXLsjzSNMBH3aZtLYmKdlUp9lgIR+6Y99l1WcQFCt+67W0v+r9T92tnUYH8nynbp
        pvcX7iI9v5rBfgCuzdQaC2E6IlocO/7O
        -----END PUBLIC KEY-----
        """
    static let p521Private = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAi9SBXD7/+bon1FNR
        9ZS6d1lVCwF71abBYvysN0K+D+sUxMmP4NJLm5aSlDU7ob2Vb3YtRgYA3u7VQ1/0
        vtpSKYWhgYkDgYYABADIMjxFnFaRniyZe2ZLM4AhtJkLPyeHWvSjgbUBmxCxAvj2
        U5MT/4blS9I26YbS/y5bkoxsiUbNhEJTnadHm5EZ1AGi9agyWhrDr7lHcDNXUY7/
        yk9KIlGgEzQs1BewqrQmZ2GCde9kdmGCBqHbmsJeTyTspV57+7PPC5TYq2y4WBh2
        Zw==
        -----END PRIVATE KEY-----
        """
    static let p521Public = """
        -----BEGIN PUBLIC KEY-----
        MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAyDI8RZxWkZ4smXtmSzOAIbSZCz8n
        h1r0o4G1AZsQsQL49lOTE/+G5UvSNumG0v8uW5KMbIlGzYRCU52nR5uRGdQBovWo
        Mloaw6+5R3AzV1GO/8pPSiJRoBM0LNQXsKq0JmdhgnXvZHZhggah25rCXk8k7KVe
        e/uzzwuU2KtsuFgYdmc=
        -----END PUBLIC KEY-----
        """

    /// Tokens with the claims `{"sub": "ada", "exp": 4102444800}` by algorithm. The secret is `secret`.
    static let tokens: [String: String] = [
        "HS256":
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.QUMQHIKstvv1"
            + "4tJ35T1WmU09EraswkMJLlcOLsR75HI",
        "HS384":
            "eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.H5Yfpg_VhULc"
            + "g6pzCGuzDaYZSy5vWIQ2Du6PxENDNCXL9IEVXovBCzTY5cMTpU90",
        "HS512":
            "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.hQfb0qOO8U_k"
            + "vxWbht9nxi2jqdGq68f9_9eaOT47qn4M1kyQxeGrF3YZg4q_pwrcTSlQNxAbZS-6UtO8k6NemQ",
        "RS256":
            "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.ZvxcMfrgYeOX"
            + "5wOgvx7EcsmeTjorz9beAJS5NIl0tO_n9LrBGTK8yv26lI69pOrwDDmcgFvvLaWYWGSNwvW9L7cA-WZRqhPn1-113B"
            + "UynH1o85g9svkBogCtopAqfpSeJuoJduw16TVeWdv9V7uqE6JjM3BdskIRAjF5ucIj-gGe3DOJANqP9tl7vRht-mAN"
            + "G1JrOyrB9OzIsVM6OLlMfGMQu7KLF92UdUpbSjFMNX7MdT2Wp5niQI5eYit63gU9vwGyOCJb4spTEWh8YkKJELigW3"
            + "jfHxmkbd7O5Kl0RO6T0PIacDeqDpo174PxCWlJ6RfoF2lkaA0c_Fseo6_9gQ",
        "RS384":
            "eyJhbGciOiJSUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.HKSHaoZLM0PW"
            + "XAN5AnhB0XqeHJrdQsKV50NR2RAS9o96tZlFgQJJsL5XUfjqfPFlGahv_VsAxhRauwWf2bksjgeLlsvwYic-t3tBgZ"
            + "qAh6MiHvfQEF-ZYOM4ZsMjhV9nNXTlJYKtAPlt3ZZFsAscsG53BdCTg1IHXIZEqBajtcrleyHgNRxqgkm1qAViXavJ"
            + "mRjjecn2yF67iZ4r6-X2IBcd2aNidSS1AQiUhS_0Cy3GFn91P_6co7vR6WcY5LbFWTjgZGdcgtxyLDGLjQmWRA1IG6"
            + "eyyYkSRVt5xjIVpkFStRtd9Vx-jHXsrAUHxjW35Nd0FEwCe4d1hVBCkq0Zqw",
        "RS512":
            "eyJhbGciOiJSUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.pWj9F4YzsSrP"
            + "-HdajGMy9YPbelS0lWiwckLbkgq5xiwrD0H1FfACHlx1QB0QTT9vWA9SO_Qw6T_fZSUSMj3kIa2DvjcjwsU26HotD-"
            + "XhgZEIhn9x3x1UeQDAEGC1ztA4Tef6OJmdcmnoLRYh06OP8K8Ir-DdP2mv68oglCSyINhQTjKWJrSY69LM8NAvzvN9"
            + "HG-Y6TTq9KIjL6FMxmpKUSqOY2zUgCjsxNQkTjnfU6qaokWq4Pv0a9w3vLl5036DXYFy_DyA_OPN1PL3NZ06ZrozH5"
            + "Nlury_P9sPKT9hE0f-h_y8_4VM0VYI06bYHB2q6WeEl5AAd69Dmh4QyEDv_Q",
        "ES256":
            "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.zYQlP-QUFKTO"
            + "uTJDP5peJrjfigoHouPujmKTCL_MkS84YSE77jpUOAebqovcXwsWqb6wJ6dROKca-vMTGnMlOg",
        "ES384":
            "eyJhbGciOiJFUzM4NCIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.dCBkNxBGfwQD"
            + "VZfwMKTMjRPDuUa7DnMeAo_boc9U4Lv_obsm2pa2quGb8p54w_FAGMRqG1eqwvLdaydMq8X0_7R0lOU7tctQVkCwQQ"
            + "UZ9um2Ha9gmuPHBjwLe9bgrZ33",
        "ES512":
            "eyJhbGciOiJFUzUxMiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEiLCJleHAiOjQxMDI0NDQ4MDB9.AGFLih-w_L90"
            + "BdaO2U0J_LWDj9utG4v9QMNBCHteI_QJtJYt-5ItuADrHQyUpDdfOHwb4Z53fEusJb7VTzLZM4mNAAB7Nf7nidOTvf"
            + "wwwHs0oid1fI0fAL2gX6ek3LPKl87o-HSbhxSoi_aewYnoRBG0hNnMyztGIkKVkyBT8xKILLAw",
    ]
}
