#include "src/api/calls.hpp"
#include "src/api/query.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <utility>

namespace smsrack::api {
namespace {

const access::TokenBook& book_of(const Call& call) {
    static const access::TokenBook none;
    return call.parts.tokens == nullptr ? none : *call.parts.tokens;
}

void append_token(wire::JsonWriter& json, const access::Token& token, const Call& call) {
    json.member("name", token.name);
    json.member("role", access::role_name(token.role));
    json.member("masked", token.masked);
    json.member("made_at", time_text(token.made));
    member_or_null(json, "expires_at", token.until);
    json.member("revoked", book_of(call).is_revoked(token));
    const auto use =
        call.parts.token_uses == nullptr ? std::nullopt : call.parts.token_uses->of(token.hash);
    member_or_null(json, "used_at", use ? std::optional(use->at) : std::nullopt);
    member_or_null(json, "used_from", use ? valid_text(use->address) : std::string());
}

}  // namespace

void list_tokens(Call call) {
    if (const auto known = check_params(call.request, {}); !known) {
        return answer_problem(call, known.error());
    }
    answer_json(call, wire::json_object([&](wire::JsonWriter& json) {
                    json.objects("tokens", book_of(call).all(), [&](const access::Token& token) {
                        append_token(json, token, call);
                    });
                }));
}

void revoke_token(Call call) {
    if (call.parts.token_orders == nullptr) {
        return answer_problem(
            call, {.code = Errc::not_found, .context = "there are no tokens: [http] is not set"});
    }
    const std::string name = call.argument;
    call.parts.token_orders->revoke(name, [call = std::move(call), name](Result<> revoked) {
        answer_json(call, revoked
                              ? Result<std::string>(wire::json_object(
                                    [&](wire::JsonWriter& json) { json.member("revoked", name); }))
                              : std::unexpected(std::move(revoked.error())));
    });
}

}  // namespace smsrack::api
