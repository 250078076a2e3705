// What a webhook's receiver answers, and what a recorded request has: nothing of it does harm, and what is kept is bounded.
#include "src/base/check.hpp"
#include "src/posting/answer_excerpt.hpp"
#include "src/posting/receiver_request.hpp"
#include "src/posting/retry_after.hpp"
#include "src/posting/signature.hpp"
#include "src/posting/webhook_keys.hpp"
#include "src/wire/json.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <string>

namespace smsrack::fuzz {
namespace {

bool prints(char c) {
    return c >= ' ' && c < '\x7F';
}

}  // namespace

int fuzz_receiver_answer(Octets input) {
    const std::string_view text = text_of(input);
    const WallTime now{std::chrono::seconds(1'795'694'400)};
    if (const auto wait = posting::retry_after(text, now)) {
        SMSRACK_CHECK(wait->count() >= 0 && *wait <= posting::wait_max);
    }
    const std::string shown = posting::answer_excerpt(text);
    SMSRACK_CHECK(shown.size() <= posting::excerpt_max && std::ranges::all_of(shown, prints));

    const posting::WebhookEvent event{.id = "evt_1", .body = std::string(text)};
    SMSRACK_CHECK(wire::parse_json(posting::smsgate_body("crm", event)).has_value());
    SMSRACK_CHECK(
        std::ranges::all_of(posting::kannel_url("/?a=%a&p=%p&I=%I&i=%i&t=%t", event), prints));

    const auto secrets = posting::secrets_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value();
    const posting::SignedParts parts{.id = "evt_1", .timestamp = "1795694400", .body = "{}"};
    const auto verified = posting::verify(parts, text, secrets, std::nullopt, now);
    SMSRACK_CHECK(!verified || text.contains(posting::signature_of(parts, secrets, std::nullopt)));
    (void)posting::secrets_of(text);
    (void)posting::signing_key_of(text);
    return 0;
}

}  // namespace smsrack::fuzz
