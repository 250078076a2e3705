#include "src/posting/signature.hpp"

#include "src/base/time_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

using namespace smsrack;
using namespace smsrack::posting;

namespace {

// Standard Webhooks' published example.
constexpr std::string_view example_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr SignedParts example{.id = "msg_p5jXN8AQM9LWM0D4loKWxJek",
                              .timestamp = "1614265330",
                              .body = R"({"test": 2432232314})"};
constexpr std::string_view example_signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const WallTime example_time{std::chrono::seconds(1'614'265'330)};

// The key of RFC 8032 7.1, test 1; the signature was made with `openssl pkeyutl`.
constexpr std::string_view key_line = "whsk_nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=";
constexpr std::string_view public_line = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
constexpr std::string_view key_signature =
    "v1a,fldxM4gAKugP6nnt1hdz3sgGfZ6d99nzrMFnZOELIxbzEHoVmAb2ADpkJK7zgPePmPsle0zV9jSeGlHFG2NVAw==";

std::vector<Secret> secrets(std::string_view text) {
    return secrets_of(text).value();
}

std::string why(const Result<>& result) {
    return result ? "" : result.error().context;
}

}  // namespace

TEST_CASE("signature_of: the published example of Standard Webhooks") {
    CHECK(signature_of(example, secrets(example_secret), std::nullopt) == example_signature);
}

TEST_CASE("signature_of: each of two secrets and the key sign, in this order") {
    const std::string file =
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n" + std::string(example_secret);
    const auto key = signing_key_of(key_line).value();
    const std::string all = signature_of(example, secrets(file), key);
    CHECK(all.starts_with("v1,"));
    CHECK(all.ends_with(" " + std::string(example_signature) + " " + std::string(key_signature)));
    for (const std::string& text : {file, std::string(example_secret)}) {
        CHECK(verify(example, all, secrets(text), std::nullopt, example_time));
    }
    CHECK(verify(example, all, {}, public_key_of(public_line).value(), example_time));
}

TEST_CASE("hex_hmac: as GitHub writes it") {
    // The example of GitHub's documentation.
    CHECK(hex_hmac("It's a Secret to Everybody", "Hello, World!") ==
          "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
}

TEST_CASE("verify: a good request, and what is wrong with others, in words") {
    const auto keys = secrets(example_secret);
    struct Case {
        const char* what;
        SignedParts parts;
        std::string signature;
        std::chrono::seconds later;
        std::string words;
    };
    const std::string good(example_signature);
    const auto changed = [](auto member, std::string_view value) {
        SignedParts parts = example;
        parts.*member = value;
        return parts;
    };
    for (const Case& one : std::vector<Case>{
             {"good", example, good, std::chrono::seconds(0), ""},
             {"late", example, good, std::chrono::seconds(300), ""},
             {"a version of later times", example, "v9,AAAA " + good, std::chrono::seconds(0), ""},
             {"too late", example, good, std::chrono::seconds(301), "older than this machine's"},
             {"too early", example, good, std::chrono::seconds(-301), "newer than this machine's"},
             {"no id", changed(&SignedParts::id, ""), good, std::chrono::seconds(0), "webhook-id"},
             {"no time", changed(&SignedParts::timestamp, ""), good, std::chrono::seconds(0),
              "no header webhook-timestamp"},
             {"no number", changed(&SignedParts::timestamp, "soon"), good, std::chrono::seconds(0),
              "must be unix seconds"},
             {"none", example, "", std::chrono::seconds(0), "no header webhook-signature"},
             {"other id", changed(&SignedParts::id, "msg_1"), good, std::chrono::seconds(0),
              "none fits"},
             {"other body", changed(&SignedParts::body, R"({"test":2432232314})"), good,
              std::chrono::seconds(0), "none fits"},
             {"cut", example, good.substr(0, 20), std::chrono::seconds(0), "none fits"},
             {"not base64", example, "v1,!!!!", std::chrono::seconds(0), "none fits"},
             {"v1a only", example, std::string(key_signature), std::chrono::seconds(0),
              "no `secret`"}}) {
        CAPTURE(one.what);
        const auto result =
            verify(one.parts, one.signature, keys, std::nullopt, example_time + one.later);
        CHECK(result.has_value() == one.words.empty());
        CHECK(why(result).contains(one.words));
    }
}

TEST_CASE("verify: a public key does not take another key's signature") {
    const auto other =
        public_half(signing_key_of("whsk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").value())
            .value();
    CHECK(why(verify(example, key_signature, {}, other, example_time)).contains("none fits"));
    CHECK(why(verify(example, example_signature, {}, other, example_time)).contains("no `key`"));
}

TEST_CASE("keys: what their files may have") {
    CHECK(secrets_of("# of the shop\n\n  whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw \r\n"));
    for (const char* bad :
         {"", "# nothing\n", "whsec_", "whsec_QUJD", "secret",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nrest",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nwhsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"}) {
        CAPTURE(bad);
        const auto refused = secrets_of(bad);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == Errc::bad_config);
        CHECK_FALSE(refused.error().context.contains("MfKQ9r8"));
    }
    CHECK(secret_text({}) == "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    CHECK(secrets_of(secret_text({})));
    const auto key = signing_key_of(key_line);
    REQUIRE(key);
    CHECK(public_key_text(public_half(*key).value()) == public_line);
    CHECK(public_key_text(public_key_of(key_line).value()) == public_line);
    // Libraries of Standard Webhooks write both halves.
    CHECK(
        signing_key_of("whsk_6Xb/dCcHpPea21PS1N9VY/"
                       "NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=="));
    CHECK_FALSE(signing_key_of("whsk_QUJD"));
    CHECK_FALSE(signing_key_of(public_line));
    CHECK_FALSE(public_key_of(example_secret));
}
